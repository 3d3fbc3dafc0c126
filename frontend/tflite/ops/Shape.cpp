// SPDX-License-Identifier: Apache-2.0
// RESHAPE, SQUEEZE, EXPAND_DIMS, TRANSPOSE, PAD and CONCATENATION.
#include <algorithm>
#include <cmath>

#include "frontend/tflite/ops/Operators.h"

namespace tenon::tflite {
namespace {

namespace tosa = mlir::tosa;
using mlir::Value;

bool sameScale(const Tensor &a, const Tensor &b) {
  return a.scale() == b.scale() && a.zeroPoint() == b.zeroPoint();
}

/// uint8 values of \p from in the terms of \p to. Source: TFLite's reference concatenation for
/// uint8: one multiplication and one addition in float, rounding half away from zero.
Value rescaleByTable(GraphBuilder &builder, Value value, const Tensor &from, const Tensor &to) {
  const float scale = from.scale() * (1.f / to.scale());
  const float bias = -float(from.zeroPoint()) * scale;
  std::array<int8_t, 256> table{};
  for (int32_t raw = 0; raw < 256; ++raw) {
    const float steps = std::clamp(std::round(float(raw) * scale + bias), -1e6f, 1e6f);
    const int64_t result = std::clamp<int64_t>(int64_t(steps) + to.zeroPoint(), 0, 255);
    table[size_t(raw)] = int8_t(result - 128);
  }
  Value values = builder.constants<int8_t>(std::span<const int8_t>(table), {256});
  return tosa::TableOp::create(builder.b, builder.loc, value.getType(), value, values);
}

Expected<Value> concatenationPart(GraphBuilder &builder, size_t i, const Tensor &output,
                                  int64_t axis) {
  const Tensor *tensor = builder.inputTensor(i);
  auto value = builder.input(i);
  if (!value)
    return value;
  if (tensor->type != output.type || tensor->rank() != output.rank())
    return fail("input {} is {} of {} dimensions, the output {} of {}", i, nameOf(tensor->type),
                tensor->rank(), nameOf(output.type), output.rank());
  for (int64_t d = 0; d < output.rank(); ++d)
    if (d != axis && tensor->shape[size_t(d)] != output.shape[size_t(d)])
      return fail("input {} does not fit the output in dimension {}", i, d);
  if (!isByte(output) || sameScale(*tensor, output))
    return value;
  if (output.type == TensorType::INT8)
    return fail("int8 inputs of another scale than the output's are not supported; requantise "
                "input {} first",
                i);
  if (!(tensor->scale() > 0) || !(output.scale() > 0))
    return fail("input {} and the output need positive scales", i);
  return rescaleByTable(builder, *value, *tensor, output);
}

} // namespace

Expected<void> importReshape(GraphBuilder &builder) {
  const Tensor *input = builder.inputTensor(0), *output = builder.outputTensor(0);
  if (!input || !output)
    return fail("it needs an input and an output");
  if (input->elementCount() != output->elementCount())
    return fail("{} elements cannot become {}", input->elementCount(), output->elementCount());
  auto value = builder.input(0);
  if (!value)
    return tl::unexpected(value.error());
  // Also where the shape stays: the operator is the model's, so it has IR of its own.
  return builder.setOutput(
      0, tosa::ReshapeOp::create(builder.b, builder.loc,
                                 builder.type(output->shape, mlir::getElementTypeOrSelf(*value)),
                                 *value, builder.shapeOf(output->shape)));
}

Expected<void> importTranspose(GraphBuilder &builder) {
  const Tensor *input = builder.inputTensor(0), *output = builder.outputTensor(0);
  if (!input || !output || input->type != output->type)
    return fail("it needs an input and an output of one type");
  auto value = builder.input(0);
  auto order = builder.integers(1);
  if (!value || !order)
    return tl::unexpected(!value ? value.error() : order.error());
  if (int64_t(order->size()) != input->rank() || order->empty())
    return fail("{} axes for {} dimensions", order->size(), input->rank());
  std::vector<int64_t> sorted;
  std::vector<int32_t> axes;
  Shape shape;
  for (int64_t axis : *order) {
    axis += axis < 0 ? input->rank() : 0;
    if (axis < 0 || axis >= input->rank())
      return fail("axis {} is outside {} dimensions", axis, input->rank());
    sorted.push_back(axis);
    axes.push_back(int32_t(axis));
    shape.push_back(input->shape[size_t(axis)]);
  }
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return fail("an axis is named twice");
  return builder.setOutput(
      0, tosa::TransposeOp::create(builder.b, builder.loc,
                                   builder.type(shape, mlir::getElementTypeOrSelf(*value)), *value,
                                   builder.b.getDenseI32ArrayAttr(axes)));
}

Expected<void> importPad(GraphBuilder &builder) {
  auto ends = unaryEnds(builder);
  auto paddings = ends ? builder.integers(1) : tl::unexpected(ends.error());
  if (!paddings)
    return tl::unexpected(paddings.error());
  const Shape &shape = ends->input->shape;
  if (paddings->size() != 2 * shape.size() || shape.empty())
    return fail("{} paddings for {} dimensions", paddings->size(), shape.size());
  Shape padded;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t before = (*paddings)[2 * d], after = (*paddings)[2 * d + 1];
    if (before < 0 || after < 0 || before > INT32_MAX || after > INT32_MAX)
      return fail("padding {} and {} must not be negative", before, after);
    padded.push_back(shape[d] + before + after);
  }
  auto value = builder.input(0);
  if (!value)
    return tl::unexpected(value.error());
  mlir::Type element = mlir::getElementTypeOrSelf(*value);
  const int64_t fill = isByte(*ends->output) ? zeroPointOf(*ends->output) : 0;
  return builder.setOutput(
      0, tosa::PadOp::create(builder.b, builder.loc, builder.type(padded, element), *value,
                             builder.shapeOf(*paddings), builder.scalar(fill, element)));
}

Expected<void> importConcatenation(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_ConcatenationOptions();
  const Tensor *output = builder.outputTensor(0);
  if (!options || !output || builder.op().inputs.empty() || output->shape.empty())
    return fail("it needs its options, inputs and an output");
  if (!isByte(*output) && !isFloat(*output))
    return fail("{} is not supported; use int8, uint8 or float32", nameOf(output->type));
  if (options->activation() != fbs::Activation::NONE)
    return fail("a fused activation is not supported; use a separate operator");
  const int64_t axis = options->axis() < 0 ? options->axis() + output->rank() : options->axis();
  if (axis < 0 || axis >= output->rank())
    return fail("axis {} is outside {} dimensions", options->axis(), output->rank());
  llvm::SmallVector<Value> parts;
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    auto part = concatenationPart(builder, i, *output, axis);
    if (!part)
      return tl::unexpected(part.error());
    parts.push_back(*part);
  }
  return builder.setOutput(
      0, tosa::ConcatOp::create(builder.b, builder.loc,
                                builder.type(output->shape, builder.elementType(output->type)),
                                parts, uint32_t(axis)));
}

} // namespace tenon::tflite
