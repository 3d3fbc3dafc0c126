// SPDX-License-Identifier: Apache-2.0
// SOFTMAX in TFLite's fixed point as micro-programs, bit for bit.
#pragma once
#include <array>
#include <vector>

#include "backend/mortise/layers/LayerGraph.h"

namespace tenon::mortise {

/// Tensors of one softmax: input and output are given, the others are 32 bits of its shape.
struct SoftmaxTensors {
  uint32_t input = 0, output = 0;
  std::array<uint32_t, 5> scratch{};
};

/// The layers in order. \p exponentials is indexed by the difference to the pixel's largest value;
/// \p outputZeroPoint is the output's as int8.
std::vector<ElementwiseLayer> makeSoftmax(const SoftmaxTensors &tensors,
                                          const std::vector<int32_t> &exponentials,
                                          int32_t outputZeroPoint);

} // namespace tenon::mortise
