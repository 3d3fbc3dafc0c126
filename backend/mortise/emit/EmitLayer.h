// SPDX-License-Identifier: Apache-2.0
// The commands of one layer.
#pragma once
#include "backend/mortise/emit/Sequencer.h"
#include "backend/mortise/place/Place.h"

namespace tenon::mortise {

/// What all layers write to.
struct Emission {
  const LayerGraph &graph;
  const Plan &plan;
  const Placement &placement;
  Sequencer commands;
  Bytes constants; ///< region 1
};

/// Appends layer \p index, tagged index + 1: its tables and constants, then tile by tile loads, the
/// engine's command and the store.
void emitLayer(Emission &emission, uint32_t index);

} // namespace tenon::mortise
