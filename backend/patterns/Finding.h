// SPDX-License-Identifier: Apache-2.0
// What a recognised shape has that a target may refuse.
#pragma once
#include <cstdint>
#include <string>

namespace tenon::patterns {

/// A figure of the graph that a target's rule may limit: a number, or, for rules without a number,
/// what is there instead of what would be taken.
struct Finding {
  std::string rule; ///< "kernel"; a target puts its own name before it
  int64_t number = 0;
  std::string text;
};

} // namespace tenon::patterns
