// SPDX-License-Identifier: Apache-2.0
// The manual's arithmetic, an element at a time, for tests.
#pragma once
#include <algorithm>
#include <bit>
#include <functional>

#include "hardware/mortise/generated/Isa.h"

namespace tenon::mortise::testing {

inline int32_t wrap(int64_t value) { return int32_t(uint32_t(uint64_t(value))); }

/// TOSA's apply_clip; bounds the wrong way round give the upper one.
inline int64_t clip(int64_t value, int64_t low, int64_t high) {
  return std::min(std::max(value, low), high);
}

inline int32_t rescale(int32_t v, int32_t multiplier, uint32_t shift, bool isDouble) {
  shift = std::min(shift, 62u);
  int64_t r = shift ? int64_t(1) << (shift - 1) : 0;
  if (isDouble && shift > 31)
    r += v >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
  return wrap((int64_t(v) * multiplier + r) >> shift);
}

inline int64_t lowest(DType type) {
  return type == DType::I8 ? -128 : type == DType::U8 ? 0 : type == DType::I16 ? -32768 : INT32_MIN;
}
inline int64_t highest(DType type) {
  return type == DType::I8 ? 127 : type == DType::U8 ? 255 : type == DType::I16 ? 32767 : INT32_MAX;
}
inline uint32_t bytesOf(DType type) { return type == DType::I32 ? 4 : type == DType::I16 ? 2 : 1; }
/// What is stored: I32 wraps, the others saturate.
inline int32_t saturate(int64_t value, DType type) {
  return type == DType::I32 ? wrap(value) : int32_t(std::clamp(value, lowest(type), highest(type)));
}

inline int32_t combine(Eltwise op, int32_t x, int32_t y) {
  switch (op) {
  case Eltwise::ADD:
    return wrap(int64_t(x) + y);
  case Eltwise::SUB:
    return wrap(int64_t(x) - y);
  case Eltwise::RSUB:
    return wrap(int64_t(y) - x);
  case Eltwise::MUL:
    return wrap(int64_t(x) * y);
  case Eltwise::MAX:
    return std::max(x, y);
  case Eltwise::MIN:
    return std::min(x, y);
  case Eltwise::NONE:
    break;
  }
  return x;
}

/// Sum divided by count.
inline int64_t average(int64_t sum, int64_t count, PoolRounding rounding) {
  if (rounding == PoolRounding::HALF_AWAY)
    return sum >= 0 ? (2 * sum + count) / (2 * count) : -((-2 * sum + count) / (2 * count));
  const int64_t twice = 2 * sum + count, by = 2 * count;
  return twice >= 0 ? twice / by : -((-twice + by - 1) / by);
}

/// Runs a micro-program for the channels of one pixel: results by channel. \p tableByte reads the
/// byte of the tables at an offset.
std::vector<int32_t> runProgram(const std::vector<MicroOp> &program, const std::vector<int32_t> &a,
                                const std::vector<int32_t> &b, int32_t immediate0,
                                int32_t immediate1,
                                const std::function<uint8_t(int64_t)> &tableByte);

} // namespace tenon::mortise::testing
