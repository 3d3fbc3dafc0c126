// SPDX-License-Identifier: Apache-2.0
// Integer convolutions with all that is fused into them, as numbers.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace tenon::host {

/// An i8 convolution, its rescale and clamp. Constants are read out; zero points are numbers.
struct ConvolutionMatch {
  mlir::Value input;            ///< [N,H,W,IC] i8
  mlir::Operation *last;        ///< whose only result, [N,OH,OW,OC] i8, the kernel computes
  bool depthwise = false;       ///< one output channel a input channel
  std::vector<int16_t> weights; ///< less their zero point: [OC,KH,KW,IC], depthwise [KH,KW,C]
  std::vector<int32_t> bias, multiplier; ///< [OC]
  std::vector<int8_t> shift;             ///< [OC], 2 to 62
  int64_t kernelHeight = 1, kernelWidth = 1;
  std::vector<int64_t> pad, stride, dilation; ///< TOSA's order: top bottom left right; h w; h w
  int32_t inputZeroPoint = 0, outputZeroPoint = 0;
  int32_t low = -128, high = 127;
  bool doubleRound = false;
};

/// What ends in \p conv (tosa.conv2d or depthwise_conv2d), if the kernels can compute it:
/// weights, bias, zero points and rescale constant, i32 sums that only the rescale reads.
std::optional<ConvolutionMatch> matchConvolution(mlir::Operation *conv);

} // namespace tenon::host
