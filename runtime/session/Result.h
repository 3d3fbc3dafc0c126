// SPDX-License-Identifier: Apache-2.0
// A failure as the C API reports it: a status for programs, one line for people.
#pragma once
#include <string>

#include "runtime/api/tenon.h"
#include "support/Error.h"

namespace tenon::runtime {

struct Failure {
  tenon_status status;
  std::string message;
};

/// A value, or why there is none.
template <typename T> using Result = tl::expected<T, Failure>;

/// `return failure(TENON_INVALID_ARGUMENT, "input {} of {}", i, n);`
template <typename... Args>
tl::unexpected<Failure> failure(tenon_status status, fmt::format_string<Args...> format,
                                Args &&...args) {
  return tl::unexpected<Failure>(Failure{status, fmt::format(format, std::forward<Args>(args)...)});
}

/// Hands the failure of a library without statuses on.
inline tl::unexpected<Failure> failure(tenon_status status, const Error &cause) {
  return tl::unexpected<Failure>(Failure{status, cause.message});
}

} // namespace tenon::runtime
