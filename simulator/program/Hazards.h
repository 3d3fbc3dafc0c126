// SPDX-License-Identifier: Apache-2.0
// Races: accesses to the same bytes, one a write, that nothing orders.
#pragma once
#include <span>
#include <vector>

#include "simulator/Fault.h"
#include "simulator/program/Touch.h"

namespace tenon::simulator {

/// A command as the race check sees it.
struct OrderedCommand {
  mortise::Engine engine = mortise::Engine::CP;
  bool barrier = false;          ///< BARRIER and END: starts when every engine is idle
  mortise::EngineCounts waits{}; ///< commands completed before it starts
  std::vector<Touch> touches;
};

/// The first command, in program order, whose access races with an earlier one's, or whose operand
/// overlaps its own output otherwise than element by element. Exact to the byte: whoever wrote and
/// read each byte last is kept with vector clocks.
struct Race {
  size_t command = 0;
  Finding finding;
};
std::optional<Race> findRace(std::span<const OrderedCommand> commands);

} // namespace tenon::simulator
