// SPDX-License-Identifier: Apache-2.0
// What a toy target claims, read from the text after ':' in --target.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "support/Error.h"

namespace tenon::toy {

struct ToyConfig {
  std::string text;
  std::vector<std::string> claims; ///< patterns, in order: "add", "conv2d>add", "ADD"
  std::vector<std::string> alone;  ///< TOSA operators taken without a pattern
  uint64_t launchNs = 0, perKilobyteNs = 0, costNs = 0;
  int64_t maxElements = INT64_MAX;  ///< of a root's result; else refused by "NAME.elements"
  size_t compositeLimit = SIZE_MAX; ///< a function; compile gives back what exceeds it
};

Expected<ToyConfig> parseConfig(const std::string &text);

} // namespace tenon::toy
