// SPDX-License-Identifier: Apache-2.0
// The command format: records of 64 bytes, little-endian, executed one after another.
//
// The array multiplies rows of im2col(input), 16 columns at a time, by the tile of weights it holds
// and leaves int32 sums in the accumulators, a row of 16 lanes an output pixel. The vector unit has
// the same 16 lanes: it requantises accumulators, or works on memory by itself.
#pragma once
#include <cstdint>

namespace systolic {

/// Count up when a record changes its meaning.
constexpr uint32_t kCommandVersion = 1;
constexpr uint32_t kRecordBytes = 64;
/// Rows and columns of the array, lanes of the vector unit.
constexpr uint32_t kLanes = 16;
constexpr uint32_t kTileBytes = kLanes * kLanes;
/// Rows of the accumulators.
constexpr uint32_t kRows = 4096;
/// Elements of an average: the vector unit has reciprocals of no more.
constexpr uint32_t kMaxAverage = 16;

/// Where bytes lie: bits 60-63 tenon's region, 48-59 the edge, 0-47 the offset.
using Address = uint64_t;
constexpr uint32_t kMaxEdge = (1 << 12) - 1;
constexpr uint64_t kMaxOffset = (uint64_t(1) << 48) - 1;

enum class Opcode : uint32_t { Window = 1, Load, Matmul, Depthwise, Requantise, Pool, Add, Move };

/// Sets the address generator for what follows. Row r is pixel r of the output, column k is channel
/// k % inC of tap k / inC; outside the input lies the zero point.
struct Window {
  Opcode opcode = Opcode::Window;
  int32_t samples;
  int32_t inH, inW, inC, outH, outW, outC;
  int16_t kernelH, kernelW, strideH, strideW, dilationH, dilationW, padTop, padLeft;
  int16_t inputZeroPoint, weightZeroPoint;
};

/// Brings 16 x 16 weights into the array, [column of im2col][lane].
struct Load {
  Opcode opcode = Opcode::Load;
  uint32_t reserved;
  Address tile;
};

/// Sums of (x - zero point)(w - zero point) over 16 columns, for `rows` rows from `firstRow`.
struct Matmul {
  Opcode opcode = Opcode::Matmul;
  uint32_t accumulate; ///< 0 overwrites accumulators
  uint32_t firstRow, rows;
  uint32_t firstColumn, reserved;
  Address input;
};

/// The vector unit's sums over the taps of 16 channels, weights [tap][lane].
struct Depthwise {
  Opcode opcode = Opcode::Depthwise;
  uint32_t firstChannel, firstRow, rows;
  Address input, weights;
};

/// Accumulators to int8, with a `Lane` a lane.
struct Requantise {
  Opcode opcode = Opcode::Requantise;
  uint32_t firstChannel, firstRow, rows;
  int32_t zeroPoint, low, high, doubleRounding;
  Address lanes, output;
};

struct Lane {
  int32_t bias, multiplier, shift;
};

struct Pool {
  Opcode opcode = Opcode::Pool;
  int32_t average, offset, low, high, reserved;
  Address input, output;
};

struct Add {
  Opcode opcode = Opcode::Add;
  uint32_t elements;
  Address a, b, output;
  int32_t multiplier[3]; ///< a, b, output
  int8_t shift[3], leftShift[2], zeroPoint[3];
  int8_t low, high;
  uint8_t subtract, doubleRounding;
};

/// Copies bytes, with the bits of `flip` turned over in each.
struct Move {
  Opcode opcode = Opcode::Move;
  uint32_t flip;
  Address input, output;
  uint64_t bytes;
};

// Cycles, for the compiler's reports and the simulator alike.
constexpr uint64_t lanesOf(uint64_t elements) { return (elements + kLanes - 1) / kLanes; }
/// Tiles move in a row of weights a cycle, rows stream through, the last drains.
constexpr uint64_t cyclesOf(const Load &) { return kLanes; }
constexpr uint64_t cyclesOf(const Matmul &c) { return c.rows + 2 * kLanes - 1; }
constexpr uint64_t cyclesOf(const Requantise &c) { return c.rows; }
constexpr uint64_t cyclesOf(const Add &c) { return 3 * lanesOf(c.elements); }
constexpr uint64_t cyclesOf(const Move &c) { return lanesOf(c.bytes); }
constexpr uint64_t tapsOf(const Window &w) { return uint64_t(w.kernelH) * uint64_t(w.kernelW); }
constexpr uint64_t cyclesOf(const Depthwise &c, const Window &w) { return c.rows * tapsOf(w); }
constexpr uint64_t cyclesOf(const Pool &, const Window &w) {
  return uint64_t(w.samples) * w.outH * w.outW * lanesOf(w.outC) * tapsOf(w);
}

} // namespace systolic
