// SPDX-License-Identifier: Apache-2.0
// Gives tensors their bytes in DRAM and buffers theirs in SRAM.
#pragma once
#include "backend/mortise/plan/Plan.h"

namespace tenon::mortise {

/// Job regions (manual 3). Outputs may be read again by later layers.
inline constexpr uint8_t kConstantsRegion = 1, kScratchRegion = 2, kInputsRegion = 3,
                         kOutputsRegion = 4;

struct TensorPlace {
  uint32_t owner = 0; ///< tensor whose bytes these are
  uint8_t region = kScratchRegion;
  uint64_t offset = 0;
};

struct Placement {
  std::vector<TensorPlace> tensors;  ///< by tensor; none for what only rings hold
  std::vector<uint32_t> lastSegment; ///< by owner: the last segment that touches it
  uint64_t scratchBytes = 0;
  /// By layer, buffer and copy: SRAM address.
  std::vector<std::vector<std::vector<uint32_t>>> buffers;
};

/// Places everything of \p plan. Fails only on a bug of this compiler: the plan fits.
Expected<Placement> place(const LayerGraph &graph, const Plan &plan, const Config &config);

} // namespace tenon::mortise
