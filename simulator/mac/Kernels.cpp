// SPDX-License-Identifier: Apache-2.0
// Highway compiles this file once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simulator/mac/Kernels.cpp"
#include "hwy/foreach_target.h"
// The above includes this file itself, so it stands first.
#include "hwy/highway.h"
#include "simulator/mac/Kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tenon::simulator {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A brick's 16 sums are kVectors vectors; kBlock pixels of them fit the registers.
using D32 = hn::CappedTag<int32_t, kLanes>;
using D16 = hn::Repartition<int16_t, D32>;
using V32 = hn::Vec<D32>;
constexpr size_t kWidth = hn::MaxLanes(D32());
constexpr size_t kVectors = kLanes / kWidth;
constexpr size_t kBlock = kWidth == kLanes ? 8 : 3;

/// Adds the products of pairs of neighbours: sum[i] + x[2i]*w[2i] + x[2i+1]*w[2i+1].
HWY_INLINE V32 addPairs(V32 sum, hn::Vec<D16> x, hn::Vec<D16> w) {
#if HWY_TARGET <= HWY_SSSE3 && HWY_TARGET >= HWY_AVX3_DL
  V32 unused = hn::Zero(D32());
  return hn::ReorderWidenMulAccumulate(D32(), x, w, sum, unused);
#else
  const D32 d;
  const V32 xs = hn::BitCast(d, x), ws = hn::BitCast(d, w);
  const V32 low =
      hn::ShiftRight<16>(hn::ShiftLeft<16>(xs)) * hn::ShiftRight<16>(hn::ShiftLeft<16>(ws));
  return sum + low + hn::ShiftRight<16>(xs) * hn::ShiftRight<16>(ws);
#endif
}

template <size_t kCount, size_t kBricks>
HWY_INLINE void convolvePixels(const ConvolveTask &task, size_t first) {
  const D32 d32;
  const D16 d16;
  const uint32_t *pixels = task.pixels + first;
  V32 sums[kCount][kBricks][kVectors];
  for (size_t p = 0; p < kCount; ++p)
    for (size_t b = 0; b < kBricks; ++b)
      for (size_t v = 0; v < kVectors; ++v)
        sums[p][b][v] = hn::Zero(d32);
  constexpr size_t pairs = kLanes / 2;
  for (size_t t = 0; t < task.tapCount; ++t) {
    const int16_t *input = task.input + task.taps[t];
    for (size_t i = 0; i < pairs; ++i) {
      hn::Vec<D16> w[kBricks][kVectors];
      for (size_t b = 0; b < kBricks; ++b)
        for (size_t v = 0; v < kVectors; ++v)
          w[b][v] = hn::LoadU(d16, task.weights[b] + ((t * pairs + i) * kLanes + v * kWidth) * 2);
      for (size_t p = 0; p < kCount; ++p) {
        int32_t pair;
        __builtin_memcpy(&pair, input + pixels[p] + 2 * i, sizeof(pair));
        const auto x = hn::BitCast(d16, hn::Set(d32, pair));
        for (size_t b = 0; b < kBricks; ++b)
          for (size_t v = 0; v < kVectors; ++v)
            sums[p][b][v] = addPairs(sums[p][b][v], x, w[b][v]);
      }
    }
  }
  for (size_t p = 0; p < kCount; ++p)
    for (size_t b = 0; b < kBricks; ++b)
      for (size_t v = 0; v < kVectors; ++v)
        hn::StoreU(sums[p][b][v], d32, task.sums[b] + (first + p) * kLanes + v * kWidth);
}

template <size_t kBricks> HWY_INLINE void convolveBricks(const ConvolveTask &task) {
  size_t first = 0;
  for (; first + kBlock <= task.pixelCount; first += kBlock)
    convolvePixels<kBlock, kBricks>(task, first);
  for (; first < task.pixelCount; ++first)
    convolvePixels<1, kBricks>(task, first);
}

void convolve(const ConvolveTask &task) {
  task.weights[1] ? convolveBricks<2>(task) : convolveBricks<1>(task);
}

void convolveDepthwise(const DepthwiseTask &task) {
  for (size_t p = 0; p < task.pixelCount; ++p) {
    int32_t sums[kLanes] = {};
    for (size_t t = 0; t < task.tapCount; ++t) {
      const int16_t *x = task.input + task.pixels[p] + task.taps[t];
      const int16_t *w = task.weights + t * kLanes;
      for (size_t i = 0; i < kLanes; ++i)
        sums[i] = int32_t(uint32_t(sums[i]) + uint32_t(int32_t(x[i]) * w[i]));
    }
    for (size_t i = 0; i < kLanes; ++i)
      task.sums[p * kLanes + i] = sums[i];
  }
}

HWY_INLINE int32_t rescaleBy(int32_t v, const LaneScale &s) {
  return int32_t((int64_t(v) * s.multiplier + s.round + (v >= 0 ? s.nudge : -s.nudge)) >> s.shift);
}

HWY_INLINE int32_t wrapShift(int64_t v, int32_t by) { return int32_t(uint32_t(uint64_t(v)) << by); }

HWY_INLINE int32_t clampTo(int64_t v, int32_t low, int32_t high) {
  const int64_t raised = v < low ? low : v;
  return int32_t(raised > high ? high : raised);
}

/// x op y for mortise::Eltwise ADD, SUB, MUL, MAX, MIN, RSUB.
HWY_INLINE int32_t combine(uint8_t op, int32_t x, int32_t y) {
  const auto ux = uint32_t(x), uy = uint32_t(y);
  switch (op) {
  case 1:
    return int32_t(ux + uy);
  case 2:
    return int32_t(ux - uy);
  case 3:
    return int32_t(ux * uy);
  case 4:
    return x > y ? x : y;
  case 5:
    return x < y ? x : y;
  default:
    return int32_t(uy - ux);
  }
}

/// Steps 1 to 4, and 6 where nothing is fused between.
HWY_INLINE void postProcessSums(const PostTask &task) {
  int64_t multiplier[kLanes], shift[kLanes], round[kLanes], nudge[kLanes];
  for (size_t i = 0; i < kLanes; ++i) {
    multiplier[i] = task.scales[i].multiplier, shift[i] = task.scales[i].shift;
    round[i] = task.scales[i].round, nudge[i] = task.scales[i].nudge;
  }
  for (size_t p = 0; p < task.pixelCount; ++p)
    for (size_t i = 0; i < kLanes; ++i) {
      int32_t &value = task.values[p * kLanes + i];
      const auto v = int32_t(uint32_t(value) + uint32_t(task.bias[i]));
      const int64_t product =
          int64_t(v) * multiplier[i] + round[i] + (v >= 0 ? nudge[i] : -nudge[i]);
      const int64_t scaled = int32_t(product >> shift[i]);
      value = clampTo(scaled + task.zeroPointA, task.clampAMin, task.clampAMax);
    }
}

HWY_INLINE void fuse(const PostTask &task) {
  const size_t count = task.pixelCount * kLanes;
  for (size_t i = 0; i < count; ++i) {
    const int64_t v = int64_t(task.values[i]) - task.zeroPointA;
    const int32_t x = rescaleBy(wrapShift(v, task.inputLeftShift), task.mainScale);
    const int32_t y = rescaleBy(wrapShift(task.operand[i], task.inputLeftShift), task.operandScale);
    const int64_t both = rescaleBy(combine(task.eltwise, x, y), task.resultScale);
    task.values[i] = clampTo(both + task.outputZeroPoint, INT32_MIN, INT32_MAX);
  }
}

void postProcess(const PostTask &task) {
  postProcessSums(task);
  if (task.operand)
    fuse(task);
  for (size_t i = 0; i < task.pixelCount * kLanes; ++i)
    task.values[i] = clampTo(task.values[i], task.clampBMin, task.clampBMax);
}

void widen(const uint8_t *from, bool isSigned, int32_t zeroPoint, size_t count, int16_t *to) {
  if (isSigned)
    for (size_t i = 0; i < count; ++i)
      to[i] = int16_t(int8_t(from[i]) - zeroPoint);
  else
    for (size_t i = 0; i < count; ++i)
      to[i] = int16_t(from[i] - zeroPoint);
}

void narrow(const int32_t *from, bool isSigned, size_t count, uint8_t *to) {
  const int32_t low = isSigned ? -128 : 0, high = isSigned ? 127 : 255;
  for (size_t i = 0; i < count; ++i) {
    const int32_t raised = from[i] < low ? low : from[i];
    to[i] = uint8_t(raised > high ? high : raised);
  }
}

} // namespace HWY_NAMESPACE
} // namespace tenon::simulator
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenon::simulator {

HWY_EXPORT(convolve);
HWY_EXPORT(convolveDepthwise);
HWY_EXPORT(postProcess);
HWY_EXPORT(widen);
HWY_EXPORT(narrow);

void convolve(const ConvolveTask &task) { HWY_DYNAMIC_DISPATCH(convolve)(task); }
void convolveDepthwise(const DepthwiseTask &task) { HWY_DYNAMIC_DISPATCH(convolveDepthwise)(task); }
void postProcess(const PostTask &task) { HWY_DYNAMIC_DISPATCH(postProcess)(task); }
void widen(const uint8_t *from, bool isSigned, int32_t zeroPoint, size_t count, int16_t *to) {
  HWY_DYNAMIC_DISPATCH(widen)(from, isSigned, zeroPoint, count, to);
}
void narrow(const int32_t *from, bool isSigned, size_t count, uint8_t *to) {
  HWY_DYNAMIC_DISPATCH(narrow)(from, isSigned, count, to);
}

} // namespace tenon::simulator
#endif
