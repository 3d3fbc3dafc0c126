// SPDX-License-Identifier: Apache-2.0
// Event-driven timing of commands on engines that run side by side and share two memories.
// Pure functions of their arguments; any thread.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::timing {

/// Most engines a machine can have.
inline constexpr uint32_t kMaxEngines = 8;
/// Engine number of commands that the command processor runs itself while it dispatches.
inline constexpr uint8_t kCommandProcessor = 255;

/// What all commands of a machine share. Times in cycles of one clock.
struct Machine {
  uint32_t engines = 0;           ///< at most kMaxEngines
  uint32_t queueDepth = 16;       ///< commands dispatched to an engine and not completed
  uint32_t dispatchCycles = 0;    ///< the command processor's time for a command
  uint32_t descriptorEntries = 0; ///< descriptors it keeps, least recently used goes; 0: no cache
  uint32_t descriptorMissCycles = 0;
  double dramBytesPerCycle = 0; ///< all engines together
  double sramBytesPerCycle = 0; ///< all engines together, before everyone slows down
};

/// What one command asks of the machine.
struct Work {
  uint64_t cycles = 0;                    ///< on its engine if it had the machine alone, DRAM apart
  uint64_t latency = 0;                   ///< before its DRAM transfer begins
  uint64_t dramBytes = 0;                 ///< moved after cycles and latency, whole bursts
  uint64_t dramRead = 0, dramWritten = 0; ///< useful bytes among them
  uint64_t sramBytes = 0;                 ///< read and written, spread evenly over its time
  uint64_t macs = 0;
};

/// A command in program order.
struct TimedCommand {
  uint8_t engine = kCommandProcessor;
  bool barrier = false;    ///< command processor: waits until every engine is idle
  int32_t descriptor = -1; ///< key in the descriptor cache; -1 for none
  uint32_t layer = 0;      ///< what `Timeline::layers` is indexed by
  std::array<uint64_t, kMaxEngines> waits{}; ///< commands each engine must have completed
  Work work;
};

/// Cycles of one engine; busy + stalls + idle = Timeline::cycles.
struct EngineTime {
  uint64_t busy = 0;       ///< at least one command runs, the two stalls below included
  uint64_t dependency = 0; ///< a command is in the queue but waits for another engine
  uint64_t dram = 0;       ///< lost to others' share of DRAM
  uint64_t sram = 0;       ///< lost to SRAM's bandwidth
  uint64_t commands = 0;
};

/// When a layer's commands ran.
struct LayerTime {
  uint64_t first = 0, last = 0; ///< cycle of its first start and its last end; 0, 0 if none
  std::array<uint64_t, kMaxEngines> busy{};
  uint64_t dramBytes = 0, dramRead = 0, dramWritten = 0, macs = 0;
};

/// When one command ran, for traces.
struct Span {
  double start = 0, end = 0; ///< cycles
};

struct Timeline {
  uint64_t cycles = 0; ///< from the first dispatch until everything is done
  std::array<EngineTime, kMaxEngines> engines{};
  uint64_t dramBytes = 0, dramRead = 0, dramWritten = 0, macs = 0;
  std::vector<LayerTime> layers; ///< by TimedCommand::layer
  std::vector<Span> commands;    ///< a span a command, if asked for
};

/// Times \p commands. Every wait must name earlier commands of its engine (a reader of streams
/// checks that); one that does not is taken as met once that engine's last command is done.
Timeline simulate(const Machine &machine, std::span<const TimedCommand> commands,
                  bool keepSpans = false);

} // namespace tenon::timing
