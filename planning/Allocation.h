// SPDX-License-Identifier: Apache-2.0
// Places blocks that live for a while in one memory. Pure functions; any thread.
#pragma once
#include <cstdint>
#include <vector>

#include "support/Error.h"

namespace tenon::planning {

/// Something that needs memory from step `first` to step `last`, both included.
struct Block {
  uint64_t bytes = 0;
  uint32_t first = 0, last = 0;
};

struct AllocationProblem {
  std::vector<Block> blocks;
  uint64_t alignmentBytes = 64; ///< of every offset
};

/// By block: where it lies. `sizeBytes` is the end of the last one.
struct Allocation {
  std::vector<uint64_t> offsets;
  uint64_t sizeBytes = 0;
};

/// Largest blocks first, each at the lowest offset that is free all its life. Deterministic.
Allocation allocateFirstFit(const AllocationProblem &problem);

/// Fails, naming the blocks, if one is not aligned, lies past the size, or two overlap that live at
/// the same step.
Expected<void> verify(const AllocationProblem &problem, const Allocation &allocation);

} // namespace tenon::planning
