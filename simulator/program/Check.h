// SPDX-License-Identifier: Apache-2.0
// The rules a command must keep by itself: descriptors, alignment, programs, bounds.
#pragma once
#include <span>

#include "simulator/Fault.h"
#include "simulator/program/Touch.h"

namespace tenon::simulator {

/// How large a memory is and what a job may do there.
struct SpaceLimits {
  uint64_t sizeBytes = 0;
  bool readable = false, writable = false;
};
/// By space: regions, then SRAM.
using Limits = std::array<SpaceLimits, kSpaces>;

/// The first rule of the manual that \p step breaks, bounds and races apart.
std::optional<Finding> checkRules(const Step &step);

/// The first touch past its memory (SRAM_RANGE, REGION_RANGE) or not allowed (REGION_PERM).
std::optional<Finding> checkBounds(std::span<const Touch> touches, const Limits &limits);

} // namespace tenon::simulator
