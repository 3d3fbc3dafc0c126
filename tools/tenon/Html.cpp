// SPDX-License-Identifier: Apache-2.0
// Replaces what HTML gives a meaning.
#include "tools/tenon/Html.h"

#include "tools/tenon/Console.h"

namespace tenon::cli {

std::string escapeHtml(const std::string &text) {
  std::string out;
  for (char letter : printable(text))
    switch (letter) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += letter;
    }
  return out;
}

} // namespace tenon::cli
