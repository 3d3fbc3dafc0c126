// SPDX-License-Identifier: Apache-2.0
// When each tensor of a package is alive, and whether the memory plan respects it.
#pragma once
#include "package/Package.h"

namespace tenon::package {

/// By tensor index. Steps count from 1; the network's inputs are there at 0.
struct Lifetimes {
  static constexpr uint32_t kNever = UINT32_MAX;
  std::vector<uint32_t> producedAt; ///< kNever if nothing makes it
  std::vector<uint32_t> lastUsedAt;
  std::vector<bool> isOutput;
};

/// Follows the schedule. Fails if an index is out of range, a tensor is made twice, or one is
/// used before it is made.
Expected<Lifetimes> findLifetimes(const Package &package);

/// Fails if a tensor that partitions hand each other lies outside the arena, is not aligned, or
/// overlaps one that is alive at the same step.
Expected<void> checkArena(const Package &package, const Lifetimes &lifetimes);

} // namespace tenon::package
