// SPDX-License-Identifier: Apache-2.0
// Which bytes a command reads and writes: what bounds and hazards are checked on.
#pragma once
#include "simulator/program/Step.h"

namespace tenon::simulator {

/// Memories of a machine: the job's regions by number, then SRAM.
inline constexpr uint8_t kSramSpace = 8;
inline constexpr size_t kSpaces = 9;

/// Runs of bytes in a grid: run (i, j, k) begins at begin + i*stride[0] + j*stride[1] +
/// k*stride[2].
struct Touch {
  uint8_t space = kSramSpace;
  bool write = false;
  /// A read of an operand that the output addresses identically: element-wise in place.
  bool inPlace = false;
  uint64_t begin = 0, run = 0; ///< bytes
  std::array<uint64_t, 3> count{1, 1, 1}, stride{};

  /// One past the last byte. All figures come from 32-bit fields but `begin`, so the sum cannot
  /// wrap while begin < 2^62.
  uint64_t end() const;
};

/// Everything \p step touches, without empty touches, runs merged where they adjoin. In-place
/// reads come after the writes.
std::vector<Touch> touchesOf(const Step &step);

/// Rows \p first, first + 1, ... of a view as lines: at most two stretches, since a ring wraps.
struct LineStretch {
  uint64_t line = 0, count = 0;
};
std::array<LineStretch, 2> linesOf(uint64_t first, uint64_t rows, uint64_t ringRows);

} // namespace tenon::simulator
