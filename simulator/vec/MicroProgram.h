// SPDX-License-Identifier: Apache-2.0
// Micro-programs over many lanes at once.
#pragma once
#include <span>
#include <vector>

#include "hardware/mortise/Dispatch.h"

namespace tenon::simulator {

/// The operands of some pixels, [pixel][channel], zero points taken off.
struct MicroTask {
  const std::vector<mortise::MicroOp> *program = nullptr;
  size_t pixels = 0, channels = 0;
  const int32_t *a = nullptr, *b = nullptr; ///< what the program does not read may be null
  int32_t immediate0 = 0, immediate1 = 0;
  const uint8_t *sram = nullptr; ///< for tables
  int64_t tables = 0;            ///< lut_address
};

/// Keeps its registers' memory from task to task. One thread at a time.
class MicroMachine {
public:
  /// Runs the program from zeroed registers. Returns the last destination, [pixel][channel], until
  /// the next call.
  std::span<const int32_t> run(const MicroTask &task);

private:
  std::vector<int32_t> registers, scratch;
};

} // namespace tenon::simulator
