// SPDX-License-Identifier: Apache-2.0
// The hot loops of the MAC engine, made once for each vector instruction set and chosen at run
// time. Pixels are worked on in groups, channels 16 at a time.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tenon::simulator {

inline constexpr size_t kLanes = 16;
/// Most pixels a kernel is given at once.
inline constexpr size_t kPixels = 96;

/// Sums over taps and channels for some pixels and one or two bricks of 16 output channels.
struct ConvolveTask {
  const int16_t *input = nullptr;   ///< (value - zero point), padding included
  const uint32_t *pixels = nullptr; ///< element of each pixel's window begin
  size_t pixelCount = 0;            ///< at most kPixels
  const uint32_t *taps = nullptr;   ///< elements from window begin to 16 to contract
  size_t tapCount = 0;
  const int16_t *weights[2] = {}; ///< [tap][8][16][2]; the second may be null
  int32_t *sums[2] = {};          ///< [pixel][16], written
};
void convolve(const ConvolveTask &task);

/// The same for one block of channels, each by itself.
struct DepthwiseTask {
  const int16_t *input = nullptr; ///< 16 lanes a position
  const uint32_t *pixels = nullptr;
  size_t pixelCount = 0;
  const uint32_t *taps = nullptr;
  size_t tapCount = 0;
  const int16_t *weights = nullptr; ///< [tap][16]
  int32_t *sums = nullptr;          ///< [pixel][16], written
};
void convolveDepthwise(const DepthwiseTask &task);

/// RESCALE by one pair, in the form the lanes compute it: (v * m + r(v)) >> s.
struct LaneScale {
  int32_t multiplier = 0, shift = 0;
  int64_t round = 0; ///< added whatever v
  int64_t nudge = 0; ///< DOUBLE: added for v >= 0, else taken off
};

/// Post-processing of sums (manual: PPU, steps 1 to 6), in place.
struct PostTask {
  int32_t *values = nullptr; ///< [pixel][16]
  size_t pixelCount = 0;
  int32_t bias[kLanes] = {};
  LaneScale scales[kLanes];
  int32_t zeroPointA = 0, clampAMin = 0, clampAMax = 0, clampBMin = 0, clampBMax = 0;
  /// Element-wise operands less their zero point, [pixel][16]; null: none.
  const int32_t *operand = nullptr;
  uint8_t eltwise = 0; ///< mortise::Eltwise
  int32_t inputLeftShift = 0, outputZeroPoint = 0;
  LaneScale mainScale, operandScale, resultScale;
};
void postProcess(const PostTask &task);

/// to[i] = from[i] - zeroPoint for bytes of either sign.
void widen(const uint8_t *from, bool isSigned, int32_t zeroPoint, size_t count, int16_t *to);

/// to[i] = from[i] saturated to a byte of either sign.
void narrow(const int32_t *from, bool isSigned, size_t count, uint8_t *to);

} // namespace tenon::simulator
