// SPDX-License-Identifier: Apache-2.0
// How TFLite turns real scales into integers (docs/numerics.md). Pure; any thread.
#pragma once
#include <array>
#include <cstdint>
#include <functional>

#include "frontend/tflite/schema_generated.h"

namespace tenon::tflite {

/// tosa.rescale's pair: value * multiplier / 2^shift, shift 2 to 62.
struct Multiplier {
  int32_t value = 0;
  int32_t shift = 31;
};

/// \p real as a 31-bit fraction and a power of two, as the reference kernels round it.
/// Above 2^29 or below 2^-31 it saturates to the nearest pair a rescale can hold.
Multiplier quantizeMultiplier(double real);

/// Bounds of an activation in an int8 tensor of \p scale and \p zeroPoint.
struct Bounds {
  int32_t low = -128, high = 127;
  bool all() const { return low <= -128 && high >= 127; }
};
/// Source: TFLite CalculateActivationRangeQuantized; rounding half away from zero, in float.
Bounds activationBounds(fbs::Activation activation, float scale, int64_t zeroPoint);
/// Bounds of real values \p low to \p high (infinite: the type's own).
Bounds boundsOf(float low, float high, float scale, int64_t zeroPoint);

/// The look-up table, by int8 value + 128, of a real function between quantised tensors.
/// Source: TFLite's reference look-up tables; float arithmetic, half away from zero.
std::array<int8_t, 256> tableOf(const std::function<float(float)> &function, float inputScale,
                                int64_t inputZeroPoint, float outputScale, int64_t outputZeroPoint);

/// exp of scaled differences d = 0 to -255 as softmax's fixed point (31 fraction bits), by -d; 0
/// for differences that it drops. Source: TFLite's reference softmax.
std::array<int32_t, 256> softmaxTable(double beta, double inputScale);

} // namespace tenon::tflite
