// SPDX-License-Identifier: Apache-2.0
// One operator to try a plug-in with: every figure of it, and the numbers that claims speak of.
#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "backend/api/Claim.h"

namespace tenon::conform {

/// Whole numbers that depend on the seed alone, on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// \p low to \p high, both possible.
  int64_t between(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool oneIn(int64_t count) { return between(1, count) == 1; }
  template <typename T> T pick(const std::vector<T> &from) {
    return from[size_t(between(0, int64_t(from.size()) - 1))];
  }

private:
  std::mt19937_64 engine;
};

enum class Activation { None = 0, Relu = 1, Relu6 = 3 };

/// Rows, then columns.
using Pair = std::array<int64_t, 2>;

/// An int8 operator as TFLite has it. Tensors are [n,h,w,c]; fully connected: [n,c].
struct Case {
  std::string operation; ///< as in claims: "conv2d", "add"...
  int64_t n = 1, c = 4;
  Pair size{8, 8};                                   ///< rows and columns in
  int64_t outputChannels = 8, channelMultiplier = 1; ///< depthwise: channels times multiplier
  Pair kernel{1, 1}, stride{1, 1}, dilation{1, 1};
  bool samePadding = false;
  bool subtract = false;
  Activation activation = Activation::None;
  int64_t inputZeroPoint = 0, secondZeroPoint = 0, outputZeroPoint = 0;
  float inputScale = 0.0625f, secondScale = 0.0625f, outputScale = 0.0625f;
  std::vector<float> weightScales; ///< one, or one an output channel
  int64_t largestWeight = 127;
  uint64_t seed = 0; ///< of weights, bias and inputs

  bool isConvolution() const; ///< conv2d, depthwise_conv2d, fully_connected
  bool isPool() const;
  bool isWindowed() const; ///< has a kernel that moves
  /// Of one output's rows or columns.
  int64_t extent(int axis) const { return (kernel[axis] - 1) * dilation[axis] + 1; }
  Pair outputSize() const;
  Pair paddingBefore() const;
  Pair paddingAfter() const;
  int64_t windowProducts() const; ///< products a sum, or elements of a pool's window
  int64_t elements() const;       ///< of the largest tensor
  int64_t work() const;           ///< products, or elements, in all
};

/// The operations that cases can be made of.
const std::vector<std::string> &operations();

/// The numbers of \p parameter; empty if conform does not know it for this operation.
std::vector<int64_t> numbersOf(const Case &that, const std::string &parameter);

/// Makes number \p index of \p parameter \p value, and others follow where they must. False if
/// \p value cannot be, or conform has no way to it.
bool assign(Case &that, const std::string &parameter, size_t index, int64_t value);

/// Chooses scales so that outputs use their range, with a factor of power of two if \p exact, so
/// that sums hit rounding ties.
void chooseScales(Case &that, bool perChannel, bool exact, Random &random);

/// Makes what hangs together fit: a scale a channel, an input as large as a window; \p snug: no
/// rows or columns that no window reads.
void settle(Case &that, bool snug);

/// Is \p number within \p claim?
bool isWithin(const backend::Claim &claim, int64_t number);
/// Are all numbers of its parameter, as far as conform knows them?
bool isWithin(const backend::Claim &claim, const Case &that);

/// "conv2d 1x8x8x4 to 8 channels, kernel 3x3, stride 1x1..." for messages.
std::string describe(const Case &that);

} // namespace tenon::conform
