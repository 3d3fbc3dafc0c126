// SPDX-License-Identifier: Apache-2.0
// What the command processor knows while it dispatches: how far each engine's queue has come.
#pragma once
#include "hardware/mortise/Stream.h"

namespace tenon::mortise {

/// Commands by engine, counted from the job's begin without wrap-around.
using EngineCounts = std::array<uint64_t, kEngineCount>;

/// Follows a stream in program order.
class Dispatch {
public:
  /// What the next command, whose header this is, waits for: the commands each engine must have
  /// completed. Fails with WAIT_FORWARD, naming the byte.
  Decoded<EngineCounts> next(const Header &header);

  /// Commands of each engine so far, those that `next` was called for included.
  const EngineCounts &issued() const { return dispatched; }

private:
  EngineCounts dispatched{};
};

/// Does \p program read operand \p source (A, B, IMM0, IMM1)?
bool readsSource(const std::vector<MicroOp> &program, Source source);

/// Bytes of an element.
uint32_t bytesOf(DType type);

/// Is it a transfer from SRAM to DRAM?
bool isStore(DmaMode mode);

} // namespace tenon::mortise
