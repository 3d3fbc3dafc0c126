// SPDX-License-Identifier: Apache-2.0
// What a backend says it takes, as numbers that a tool can walk; needs no MLIR.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::backend {

/// One limit of one composite. Without values and with the widest bounds it says only that the
/// composite is there.
struct Claim {
  std::string composite;                            ///< "acme.conv2d"
  std::string operation;                            ///< "conv2d", "depthwise_conv2d", "add"...
  std::string parameter;                            ///< "stride"; "" for a composite without limits
  int64_t minimum = INT64_MIN, maximum = INT64_MAX; ///< both taken
  std::vector<int64_t> values;                      ///< if not empty, only these are taken
  std::string rule; ///< of the refusal outside: "acme.conv2d.stride"
};

} // namespace tenon::backend
