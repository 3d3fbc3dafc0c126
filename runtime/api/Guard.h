// SPDX-License-Identifier: Apache-2.0
// The border of the C API: no exception crosses, every failure leaves a line of text.
#pragma once
#include <exception>
#include <new>

#include "runtime/session/Result.h"

namespace tenon::runtime {

/// The calling thread's last failure; never null.
const char *lastError() noexcept;

/// Keeps \p message for lastError; returns \p status.
tenon_status setLastError(tenon_status status, const char *message) noexcept;

/// Runs \p body, which returns Result<void>, and turns its failure or exception into a status.
template <typename Body> tenon_status guarded(Body &&body) noexcept {
  try {
    Result<void> result = body();
    return result ? TENON_OK : setLastError(result.error().status, result.error().message.c_str());
  } catch (const std::bad_alloc &) {
    return setLastError(TENON_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &exception) {
    return setLastError(TENON_INTERNAL, exception.what());
  } catch (...) {
    return setLastError(TENON_INTERNAL, "an unknown exception");
  }
}

} // namespace tenon::runtime
