// SPDX-License-Identifier: Apache-2.0
// The constants a kernel of KernelText.h reads, laid out at compile time.
#pragma once
#include <string>

#include "backend/host/ConvolutionMatch.h"

namespace tenon::host {

/// Arguments of a kernel beside input and output.
struct KernelCall {
  std::string kernel;
  /// Convolution: [block][column pair][16 channels][2], a block starting at channel
  /// min(16 * block, OC - 16), so that the last may overlap; a column is one of KH * KW * IC,
  /// made even. Depthwise: [KH * KW][C].
  std::vector<int16_t> weights;
  /// Five arrays over the channels (a convolution has at least 16): bias i32, multiplier i32,
  /// shift i64, what is added before the shift to a sum >= 0, and to one below, i64.
  std::vector<int32_t> parameters;
  std::vector<int64_t> geometry; ///< fields in the order of geometryText in KernelText.cpp
  int64_t scratchBytes = 0;
};

KernelCall layOutConvolution(const ConvolutionMatch &match);

} // namespace tenon::host
