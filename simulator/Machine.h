// SPDX-License-Identifier: Apache-2.0
// The chip: SRAM and engines that carry programs out.
#pragma once
#include <memory>

#include "simulator/program/Program.h"

namespace tenon::simulator {

/// The job's regions by number; null for those a program does not touch. They must have the sizes
/// that the program was loaded with.
using Regions = std::array<uint8_t *, 8>;

/// One machine. Calls come from one thread at a time; machines share nothing.
class Machine {
public:
  explicit Machine(const mortise::Config &config);
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  /// Carries \p program out in program order, with SRAM cleared first: jobs see nothing of each
  /// other. Every access was checked when it was loaded.
  void run(const Program &program, const Regions &regions);

  /// SRAM after the last run, for tests and debuggers.
  std::span<const uint8_t> sram() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tenon::simulator
