// SPDX-License-Identifier: Apache-2.0
// Printing: safe text, aligned tables, the one line of failure.
#include "tools/tenon/Console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tenon::cli {
namespace {

/// Bytes of the UTF-8 sequence that begins at \p at; 0 if there is none.
size_t sequenceLength(const std::string &text, size_t at) {
  const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
  const uint8_t first = byte(at);
  const size_t length = first >= 0xF0 && first < 0xF5   ? 4
                        : first >= 0xE0 && first < 0xF0 ? 3
                        : first >= 0xC3 && first < 0xE0 ? 2 // C2 begins control characters too
                                                        : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80)
      return 0;
  return length;
}

} // namespace

std::string printable(const std::string &text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const uint8_t byte = uint8_t(text[i]);
    const size_t length = byte >= 0x20 && byte < 0x7F ? 1 : sequenceLength(text, i);
    out += length ? text.substr(i, length) : fmt::format("\\x{:02x}", byte);
    i += std::max<size_t>(length, 1);
  }
  return out;
}

Expected<void> print(const std::string &text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0)
    return fail("standard output: {}", std::strerror(errno));
  return {};
}

void printError(const std::string &message) {
  const std::string line = "tenon: " + printable(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void printWarning(const std::string &message) { printError("warning: " + message); }

std::string formatTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace tenon::cli
