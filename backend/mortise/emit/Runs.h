// SPDX-License-Identifier: Apache-2.0
// The engine command of one tile.
#pragma once
#include "backend/mortise/emit/Transfers.h"
#include "hardware/mortise/Stream.h"

namespace tenon::mortise {

/// What a tile's command is made from.
struct TileRun {
  const LayerGraph &graph;
  const Layer &layer;
  const LayerPlan &plan;
  Box out;                     ///< the tile
  std::vector<SramPart> reads; ///< by read: what the tile needs of it
  SramPart output;
  uint32_t constants = 0, table = 0; ///< SRAM addresses
};

struct EngineCommand {
  Opcode op;
  Engine engine;
  decltype(Command::payload) payload;
};

/// The command; its descriptor and program go into \p stream.
EngineCommand makeRun(StreamBuilder &stream, const TileRun &tile);

} // namespace tenon::mortise
