// SPDX-License-Identifier: Apache-2.0
#include "frontend/tflite/Numerics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::tflite {
namespace {

// Fixed point arithmetic of 32-bit raw values, as softmax needs it.

/// Half the product's high word, rounded to nearest, ties up.
int32_t highMul(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min())
    return std::numeric_limits<int32_t>::max();
  return int32_t((int64_t(a) * b + (int64_t(1) << 30)) >> 31);
}

/// x / 2^exponent, rounded to nearest, ties away from zero.
int32_t roundingShift(int32_t x, int exponent) {
  const int64_t half = exponent ? int64_t(1) << (exponent - 1) : 0;
  return int32_t((int64_t(x) + half - (x < 0 && exponent ? 1 : 0)) >> exponent);
}

int32_t saturatingShiftLeft(int32_t x, int exponent) {
  return int32_t(std::clamp(int64_t(x) << exponent, int64_t(INT32_MIN), int64_t(INT32_MAX)));
}

/// exp on [-1/4, 0), both 31 fraction bits: Taylor around -1/8.
int32_t expNearZero(int32_t a) {
  constexpr int32_t kExpOfMinusEighth = 1895147668, kThird = 715827883;
  const int32_t x = a + (1 << 28);
  const int32_t x2 = highMul(x, x), x3 = highMul(x2, x), x4 = highMul(x2, x2);
  const int32_t sum = highMul(roundingShift(x4, 2) + x3, kThird) + x2;
  return kExpOfMinusEighth + highMul(kExpOfMinusEighth, x + roundingShift(sum, 1));
}

/// exp of \p a <= 0 with 26 fraction bits; the result has 31.
int32_t expOfNegative(int32_t a) {
  if (a == 0)
    return std::numeric_limits<int32_t>::max();
  constexpr int32_t kQuarter = 1 << 24;
  const int32_t modulo = (a & (kQuarter - 1)) - kQuarter;
  int32_t result = expNearZero(saturatingShiftLeft(modulo, 5));
  const int32_t remainder = modulo - a;
  // exp(-2^e) for e = -2 to 4.
  constexpr int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308,
                                  39332535,   720401,     242};
  for (int bit = 0; bit < 7; ++bit)
    if (remainder & (1 << (24 + bit)))
      result = highMul(result, kFactors[bit]);
  return result;
}

} // namespace

Multiplier quantizeMultiplier(double real) {
  if (!(real > 0))
    return {0, 31};
  int exponent = 0;
  int64_t fraction = std::llround(std::frexp(real, &exponent) * double(int64_t(1) << 31));
  if (fraction == int64_t(1) << 31)
    fraction /= 2, ++exponent;
  if (exponent < -31)
    return {0, 31};
  if (exponent > 29)
    return {std::numeric_limits<int32_t>::max(), 2};
  return {int32_t(fraction), 31 - exponent};
}

Bounds boundsOf(float low, float high, float scale, int64_t zeroPoint) {
  const auto quantize = [&](float value) {
    const float steps = std::clamp(std::round(value / scale), -1e6f, 1e6f);
    return int32_t(std::clamp<int64_t>(zeroPoint + int64_t(steps), -128, 127));
  };
  Bounds bounds;
  if (std::isfinite(low))
    bounds.low = quantize(low);
  if (std::isfinite(high))
    bounds.high = quantize(high);
  return bounds;
}

Bounds activationBounds(fbs::Activation activation, float scale, int64_t zeroPoint) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (activation) {
  case fbs::Activation::RELU:
    return boundsOf(0, kInfinity, scale, zeroPoint);
  case fbs::Activation::RELU_N1_TO_1:
    return boundsOf(-1, 1, scale, zeroPoint);
  case fbs::Activation::RELU6:
    return boundsOf(0, 6, scale, zeroPoint);
  default:
    return {};
  }
}

std::array<int8_t, 256> tableOf(const std::function<float(float)> &function, float inputScale,
                                int64_t inputZeroPoint, float outputScale,
                                int64_t outputZeroPoint) {
  std::array<int8_t, 256> table{};
  const float inverse = 1 / outputScale;
  for (size_t i = 0; i < table.size(); ++i) {
    const float real = inputScale * float(int32_t(i) - 128 - int32_t(inputZeroPoint));
    const float steps = std::clamp(std::round(function(real) * inverse), -1e6f, 1e6f);
    table[i] = int8_t(std::clamp<int64_t>(int64_t(steps) + outputZeroPoint, -128, 127));
  }
  return table;
}

std::array<int32_t, 256> softmaxTable(double beta, double inputScale) {
  constexpr int kIntegerBits = 5;
  const double real = std::min(beta * inputScale * double(1 << (31 - kIntegerBits)),
                               double((int64_t(1) << 31) - 1));
  int leftShift = 0;
  int64_t fraction = std::llround(std::frexp(real, &leftShift) * double(int64_t(1) << 31));
  if (fraction == int64_t(1) << 31)
    fraction /= 2, ++leftShift;
  std::array<int32_t, 256> table{};
  table[0] = expOfNegative(0);
  // A scale so small that it cannot be scaled up is as good as none: all exponentials alike.
  if (leftShift < 0)
    return table.fill(table[0]), table;
  const double radius = double((1 << kIntegerBits) - 1) *
                        double(int64_t(1) << (31 - kIntegerBits)) / double(int64_t(1) << leftShift);
  for (int32_t d = 1; d < 256 && double(d) <= std::floor(radius); ++d)
    table[size_t(d)] =
        expOfNegative(highMul(int32_t(-int64_t(d) * (int64_t(1) << leftShift)), int32_t(fraction)));
  return table;
}

} // namespace tenon::tflite
