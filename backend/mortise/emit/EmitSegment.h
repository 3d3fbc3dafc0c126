// SPDX-License-Identifier: Apache-2.0
// The commands of one segment.
#pragma once
#include "backend/mortise/emit/Sequencer.h"
#include "backend/mortise/place/Place.h"
#include "package/Package.h"

namespace tenon::mortise {

/// What all segments write to.
struct Emission {
  const LayerGraph &graph;
  const Plan &plan;
  const Placement &placement;
  Sequencer commands;
  Bytes constants;                        ///< region 1
  std::vector<package::DebugEntry> debug; ///< an entry wherever another layer's commands begin
};

/// Appends segment \p number, step by step (plan/TileSteps.h). A layer's commands are tagged with
/// its number + 1: with its first tile its tables, for each tile loads, the engine's command and
/// the store, unless the output stays in a ring.
void emitSegment(Emission &emission, uint32_t number);

} // namespace tenon::mortise
