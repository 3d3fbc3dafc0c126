// SPDX-License-Identifier: Apache-2.0
// MAC_RUN, carried out.
#pragma once
#include <vector>

#include "simulator/program/Step.h"

namespace tenon::simulator {

/// Keeps buffers from command to command. One thread at a time.
class MacEngine {
public:
  /// Carries \p step out; it was checked, bounds included.
  void run(const MacStep &step, uint8_t *sram);

private:
  std::vector<int16_t> input, weights;
  std::vector<uint32_t> taps;
};

} // namespace tenon::simulator
