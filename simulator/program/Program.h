// SPDX-License-Identifier: Apache-2.0
// A command stream, read and checked once, ready to be carried out any number of times.
#pragma once
#include "hardware/mortise/Timing.h"
#include "simulator/Fault.h"
#include "simulator/program/Check.h"

namespace tenon::simulator {

/// What the machine may be asked to do.
struct LoadOptions {
  /// Cycles a job may take; beyond, fault WATCHDOG. 0: no limit.
  uint64_t watchdogCycles = 0;
  /// Look for races. Costs a fraction of one run.
  bool checkHazards = true;
};

/// Everything that follows from the stream's bytes and the memories' sizes, not from data: faults,
/// too, since no command's place depends on data. So a stream that faults runs nothing at all.
/// Immutable after load; any thread.
class Program {
public:
  /// Reads \p stream for the machine \p config whose SRAM and regions are \p limits. A stream that
  /// faults is a Program, too: one with `fault` and without steps.
  static Program load(ByteSpan stream, const mortise::Config &config, const Limits &limits,
                      const LoadOptions &options = {});

  /// Commands in program order; none if the stream faults.
  const std::vector<Step> &steps() const { return commands; }
  const std::optional<Fault> &fault() const { return stop; }
  /// Cycles and counters of one run; zeros if the stream faults.
  const timing::Timeline &timeline() const { return times; }

private:
  std::vector<Step> commands;
  std::optional<Fault> stop;
  timing::Timeline times;
};

} // namespace tenon::simulator
