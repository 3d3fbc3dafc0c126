// SPDX-License-Identifier: Apache-2.0
// VEC_RUN, carried out.
#pragma once
#include "simulator/program/Step.h"
#include "simulator/vec/MicroProgram.h"

namespace tenon::simulator {

/// Keeps buffers from command to command. One thread at a time.
class VecEngine {
public:
  /// Carries \p step out; it was checked, bounds included.
  void run(const VecStep &step, uint8_t *sram);

private:
  void elementwise(const VecStep &step, uint8_t *sram);

  MicroMachine machine;
  std::vector<int32_t> a, b;
};

} // namespace tenon::simulator
