// SPDX-License-Identifier: Apache-2.0
// What the table writes and the device reads.
#pragma once
#include <cstdint>

namespace whole {

constexpr uint32_t kCommandVersion = 3;

struct Window {
  int32_t samples, inH, inW, inC, outH, outW, outC;
  int32_t kernelH, kernelW, strideH, strideW, dilationH, dilationW, padTop, padLeft;
};

/// Constants: weights, bias, multipliers, shifts, and the table if `hasTable`.
struct ConvolutionCommand {
  Window window;
  int32_t depthwise, channelMultiplier;
  int32_t inputZeroPoint, weightZeroPoint, outputZeroPoint, low, high, doubleRounding, hasTable;
};

/// Scratch: one i32 an element.
struct AddCommand {
  int32_t subtract, doubleRounding;
  int32_t zeroPoint[3], leftShift[2], multiplier[3], shift[3]; ///< a, b, output
  int32_t low, high;
};

struct PoolCommand {
  Window window;
  int32_t average, offset, low, high;
};

} // namespace whole
