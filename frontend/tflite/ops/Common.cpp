// SPDX-License-Identifier: Apache-2.0
// Checks and small forms that operator families share.
#include <limits>

#include "frontend/tflite/ops/Operators.h"
#include "support/Checked.h"

namespace tenon::tflite {

Expected<Ends> unaryEnds(GraphBuilder &builder) {
  const Tensor *input = builder.inputTensor(0), *output = builder.outputTensor(0);
  if (!input || !output)
    return fail("it needs an input and an output");
  if ((!isByte(*input) && !isFloat(*input)) || input->type != output->type)
    return fail("{} to {} is not supported; use int8, uint8 or float32", nameOf(input->type),
                nameOf(output->type));
  if (isByte(*input))
    for (const Tensor *tensor : {input, output})
      if (auto checked = needScale(*tensor); !checked)
        return tl::unexpected(checked.error());
  return Ends{input, output};
}

Expected<void> needScale(const Tensor &tensor) {
  if (!tensor.quantization.perTensor() || !(tensor.scale() > 0))
    return fail("tensor \"{}\" has no single positive scale; quantise it per tensor", tensor.name);
  return {};
}

Expected<Window> windowOf(int64_t input, int64_t kernel, int64_t stride, int64_t dilation,
                          fbs::Padding padding) {
  constexpr int64_t kMost = 65535;
  if (kernel < 1 || stride < 1 || dilation < 1 || kernel > kMost || stride > kMost ||
      dilation > kMost)
    return fail("kernel {}, stride {} and dilation {} must be 1 to {}", kernel, stride, dilation,
                kMost);
  const int64_t extent = (kernel - 1) * dilation + 1;
  Window window;
  if (padding == fbs::Padding::SAME) {
    window.out = ceilDiv(input, stride);
    const int64_t total = std::max<int64_t>((window.out - 1) * stride + extent - input, 0);
    window.padBefore = total / 2;
    window.padAfter = total - window.padBefore;
  } else {
    if (input < extent)
      return fail("a window of {} does not fit an input of {}", extent, input);
    window.out = (input - extent) / stride + 1;
  }
  window.used = (window.out - 1) * stride + extent - window.padBefore - window.padAfter;
  return window;
}

Expected<void> checkActivation(fbs::Activation activation) {
  const int code = int(activation);
  if (code < int(fbs::Activation::NONE) || code > int(fbs::Activation::RELU6))
    return fail("fused activation {} is not supported; use a separate operator", code);
  return {};
}

Expected<mlir::Value> activateFloat(GraphBuilder &builder, mlir::Value value,
                                    fbs::Activation activation) {
  if (auto checked = checkActivation(activation); !checked)
    return tl::unexpected(checked.error());
  constexpr float kMost = std::numeric_limits<float>::max();
  switch (activation) {
  case fbs::Activation::RELU:
    return builder.clampFloat(value, 0, kMost);
  case fbs::Activation::RELU6:
    return builder.clampFloat(value, 0, 6);
  case fbs::Activation::RELU_N1_TO_1:
    return builder.clampFloat(value, -1, 1);
  default:
    return value;
  }
}

mlir::Value raiseRank(GraphBuilder &builder, mlir::Value value, size_t rank) {
  const auto shape = llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
  Shape raised(rank > shape.size() ? rank - shape.size() : 0, 1);
  raised.insert(raised.end(), shape.begin(), shape.end());
  return builder.reshape(value, raised);
}

} // namespace tenon::tflite
