// SPDX-License-Identifier: Apache-2.0
// What an NPU's code functions are given: operators as plain values. Needs nothing but C++20.
// Constants are owned by the view; a view lives as long as the call it is handed to.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::library {

enum class Element : uint8_t { Int8, Uint8, Int32 };

/// Where the device finds a tensor.
enum class Region : uint32_t {
  Input,     ///< buffer `edge` of the partition's inputs
  Output,    ///< buffer `edge` of the partition's outputs, may be read too
  Scratch,   ///< memory of the partition between its calls
  Constants, ///< the partition's constants, read only
};

/// Bytes of a region. Offsets are multiples of 64.
struct Place {
  Region region = Region::Scratch;
  uint32_t edge = 0;
  uint64_t offset = 0, bytes = 0;
};

/// A tensor, dense, row-major, as it lies in memory.
struct Tensor {
  std::string name; ///< as in the model
  std::vector<int64_t> shape;
  Element element = Element::Int8;
  Place place;
};

/// Four dimensions; what an operator has fewer of is 1.
struct Extents {
  int64_t n = 1, h = 1, w = 1, c = 1;
  int64_t elements() const { return n * h * w * c; }
};

struct Pair {
  int64_t h = 1, w = 1;
};

struct Padding {
  int64_t top = 0, bottom = 0, left = 0, right = 0;
};

/// A real factor as TFLite has it: RESCALE(v) = (v * multiplier + round) >> shift, where round is
/// 1 << (shift - 1), and if the operator rounds doubly and shift > 31, 1 << 30 more for v >= 0 and
/// 1 << 30 less for v < 0 (docs/numerics.md). The product needs 64 bits.
struct Scale {
  int32_t multiplier = 1 << 30;
  int32_t shift = 30;
};

/// From an accumulator to int8: clamp(RESCALE(v) + zeroPoint, low, high).
struct Requantise {
  std::vector<int32_t> multipliers, shifts; ///< one an output channel, also if all are equal
  bool perChannel = false;                  ///< do channels differ
  bool doubleRounding = true;
  int32_t zeroPoint = 0;
  int32_t low = -128, high = 127; ///< of the activation and the type
};

/// conv2d, depthwise_conv2d, fully_connected: sums of (x - inputZeroPoint)(w - weightZeroPoint)
/// plus bias in 32 bits, then `requantise`, then `table` if there is one. Padding is
/// inputZeroPoint.
struct Convolution {
  Tensor input, output;
  Extents in, out; ///< fully connected: h and w are 1
  bool depthwise = false;
  Pair kernel, stride, dilation;
  Padding padding;               ///< a pad operator before it included, if the composite fuses that
  int64_t channelMultiplier = 1; ///< depthwise: output channel = input channel * this + m
  int32_t inputZeroPoint = 0, weightZeroPoint = 0;
  /// conv2d, fully_connected: [output channel][kernel h][kernel w][input channel];
  /// depthwise_conv2d: [kernel h][kernel w][output channel].
  std::vector<int8_t> weights;
  std::vector<int32_t> bias; ///< one an output channel
  Requantise requantise;
  std::vector<int8_t> table; ///< 256 entries, by value + 128; empty if there is none
  int64_t macs() const;
};

/// add, sub: a' = RESCALE((a - zero point) << leftShift), b' alike, then a' + b' or a' - b',
/// then clamp(RESCALE + outputZeroPoint, low, high). Shapes are equal.
struct Addition {
  Tensor a, b, output;
  bool subtract = false;
  int32_t aZeroPoint = 0, bZeroPoint = 0, outputZeroPoint = 0;
  int32_t aLeftShift = 0, bLeftShift = 0;
  Scale aScale, bScale, outputScale;
  bool doubleRounding = true;
  int32_t low = -128, high = 127;
};

/// average_pool2d, max_pool2d: over the elements of the window that lie inside the input.
struct Pooling {
  Tensor input, output;
  Extents in, out;
  Pair kernel, stride;
  Padding padding;
  bool average = false;
  /// average: the sum is of value + this (128 for networks that were uint8), divided by the number
  /// of elements, ties away from zero, less this again.
  int32_t averageOffset = 0;
  int32_t low = -128, high = 127;
};

/// sign_flip: uint8 outside, int8 inside; every byte's highest bit is turned over.
struct SignFlip {
  Tensor input, output;
};

} // namespace tenon::library
