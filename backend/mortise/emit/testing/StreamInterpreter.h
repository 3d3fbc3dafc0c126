// SPDX-License-Identifier: Apache-2.0
// Carries a stream out as the manual's text says, slowly, an element at a time, for tests of the
// compiler that need no device. Checks ranges, permissions and races byte by byte.
#pragma once
#include "backend/mortise/emit/testing/ShadowMemory.h"

namespace tenon::mortise::testing {

/// What SRAM and scratch that no command wrote hold, as a rule: no zero point.
inline constexpr uint8_t kUnwritten = 0x5a;

/// A job's regions 1 to 4; outputs and scratch hold what is there afterwards.
struct Job {
  Bytes constants;
  uint64_t scratchBytes = 0;
  Bytes inputs, outputs;
  Bytes scratch; ///< made by interpret, every byte `unwritten` before
  uint8_t unwritten = kUnwritten;
  /// Set by interpret: some command wrote a byte twice. The manual does not say which value stays.
  bool overlapping = false;
};

/// Runs \p stream on \p config until END or the first fault, whose message names the command.
Fault interpret(ByteSpan stream, const Config &config, Job &job);

} // namespace tenon::mortise::testing
