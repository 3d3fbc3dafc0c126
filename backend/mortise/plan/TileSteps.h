// SPDX-License-Identifier: Apache-2.0
// In which order the tiles of a segment's layers run: verification, estimate and emission walk it.
#pragma once
#include "backend/mortise/plan/Plan.h"

namespace tenon::mortise {

/// One tile.
struct TileStep {
  uint32_t layer = 0;
  Box out;           ///< of the layer's shape
  bool last = false; ///< of the layer
};

/// The tiles of \p segment in execution order. One layer: all along its loops. A cascade: the last
/// layer's stripes, before each the rows of the layers before it that it reads and nobody made yet;
/// rows that nobody reads are not made.
std::vector<TileStep> stepsOf(const Plan &plan, const Segment &segment);

/// Which rows of a tensor have come into a ring.
class ArrivedRows {
public:
  /// The rows of \p wanted that are new, perhaps none; then they are there. Ranges never go back.
  Range take(Range wanted);

private:
  uint32_t end = 0;
};

} // namespace tenon::mortise
