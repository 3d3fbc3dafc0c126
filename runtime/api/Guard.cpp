// SPDX-License-Identifier: Apache-2.0
// One line of text a thread.
#include "runtime/api/Guard.h"

namespace tenon::runtime {
namespace {

thread_local std::string message;

} // namespace

const char *lastError() noexcept { return message.c_str(); }

tenon_status setLastError(tenon_status status, const char *text) noexcept {
  try {
    message = text;
  } catch (...) {
    message.clear(); // no memory for the text: the status still tells
  }
  return status;
}

} // namespace tenon::runtime
