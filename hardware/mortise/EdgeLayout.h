// SPDX-License-Identifier: Apache-2.0
// Where a job's inputs lie in region 3 and its outputs in region 4: emit and every device agree
// here.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "support/Checked.h"

namespace tenon::mortise {

/// Tensors of one region: one after the other in the partition's order, each at a multiple of
/// kEdgeAlignmentBytes, so that a lone tensor is the whole region and needs no copy.
struct EdgeLayout {
  static constexpr uint64_t kEdgeAlignmentBytes = 64;
  std::vector<uint64_t> offsets;
  uint64_t sizeBytes = 0; ///< the region's limit: the end of the last tensor

  /// \p sizes in bytes, dense; their sum is known to fit (package::validate).
  explicit EdgeLayout(std::span<const uint64_t> sizes) {
    for (uint64_t size : sizes) {
      offsets.push_back(alignUp(sizeBytes, kEdgeAlignmentBytes));
      sizeBytes = offsets.back() + size;
    }
  }
};

} // namespace tenon::mortise
