// SPDX-License-Identifier: Apache-2.0
// The one way a function here reports failure: a message for the user, or a value.
#pragma once
#include <string>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

namespace tenon {

/// A failure the user can act on: lower case, one line, no full stop, with the
/// actual value, the limit and a remedy where there is one.
struct Error {
  std::string message;
};

/// A value, or why there is none.
template <typename T> using Expected = tl::expected<T, Error>;

/// `return fail("stride {} exceeds {}", s, 4);`
template <typename... Args>
tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args &&...args) {
  return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Args>(args)...)});
}

/// Hands a failure of another Expected on, `context: ` put before its message.
inline tl::unexpected<Error> fail(const Error &cause, const std::string &context) {
  return tl::unexpected<Error>(Error{context + ": " + cause.message});
}

} // namespace tenon
