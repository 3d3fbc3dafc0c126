// SPDX-License-Identifier: Apache-2.0
// A toy target's claims as patterns.
#pragma once
#include "ToyConfig.h"
#include "backend/api/Pattern.h"

namespace tenon::toy {

/// The pattern of \p claim for the target \p target: a chain of TOSA operators along first
/// operands' producers ("conv2d>add" ends in the addition), or all IR of one model operator whose
/// type is the claim in capitals.
std::unique_ptr<backend::Pattern> makePattern(const std::string &target, const std::string &claim,
                                              const ToyConfig &config);

} // namespace tenon::toy
