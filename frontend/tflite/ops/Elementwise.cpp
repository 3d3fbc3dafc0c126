// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL, and unary functions of one value: activations and look-ups.
#include <cmath>
#include <limits>

#include "frontend/tflite/ops/Operators.h"
#include "mlir/IR/Matchers.h"

namespace tenon::tflite {
namespace {

namespace tosa = mlir::tosa;
using mlir::Value;

constexpr int kLeftShift = 20;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Operands {
  const Tensor *a, *b, *output;
  Value left, right; ///< of equal rank
};

Expected<Operands> operandsOf(GraphBuilder &builder) {
  const Tensor *a = builder.inputTensor(0), *b = builder.inputTensor(1);
  const Tensor *output = builder.outputTensor(0);
  if (!a || !b || !output)
    return fail("it needs two inputs and an output");
  if (a->type != b->type || a->type != output->type || (!isByte(*a) && !isFloat(*a)))
    return fail("{} and {} to {} is not supported; use int8, uint8 or float32", nameOf(a->type),
                nameOf(b->type), nameOf(output->type));
  if (isByte(*a))
    for (const Tensor *tensor : {a, b, output})
      if (auto checked = needScale(*tensor); !checked)
        return tl::unexpected(checked.error());
  auto left = builder.input(0), right = builder.input(1);
  if (!left || !right)
    return tl::unexpected(!left ? left.error() : right.error());
  const size_t rank = std::max(a->shape.size(), b->shape.size());
  return Operands{a, b, output, raiseRank(builder, *left, rank), raiseRank(builder, *right, rank)};
}

template <typename Op> Value combine(GraphBuilder &builder, Value left, Value right) {
  const auto a = llvm::cast<mlir::RankedTensorType>(left.getType());
  const auto b = llvm::cast<mlir::RankedTensorType>(right.getType());
  Shape shape;
  for (int64_t i = 0; i < a.getRank(); ++i)
    shape.push_back(a.getDimSize(i) == 1 ? b.getDimSize(i) : a.getDimSize(i));
  const auto type = builder.type(shape, a.getElementType());
  if constexpr (std::is_same_v<Op, tosa::MulOp>)
    return Op::create(builder.b, builder.loc, type, left, right, builder.scalar(0, builder.i8()));
  else
    return Op::create(builder.b, builder.loc, type, left, right);
}

/// Both inputs to a common scale with 20 extra bits, then the sum to the output's.
template <typename Op> Value addBytes(GraphBuilder &builder, const Operands &operands) {
  const double twiceMax = 2 * std::max(double(operands.a->scale()), double(operands.b->scale()));
  const auto side = [&](Value value, const Tensor &tensor) {
    const std::array multiplier{quantizeMultiplier(double(tensor.scale()) / twiceMax)};
    return builder.rescale(builder.widen(value, zeroPointOf(tensor), kLeftShift), builder.i32(),
                           multiplier, 0, 0);
  };
  Value left = side(operands.left, *operands.a);
  Value right = operands.left == operands.right && operands.a == operands.b
                    ? left
                    : side(operands.right, *operands.b);
  const std::array multiplier{
      quantizeMultiplier(twiceMax / (double(1 << kLeftShift) * double(operands.output->scale())))};
  return builder.rescale(combine<Op>(builder, left, right), builder.i8(), multiplier, 0,
                         zeroPointOf(*operands.output));
}

Value mulBytes(GraphBuilder &builder, const Operands &operands) {
  Value left = builder.widen(operands.left, zeroPointOf(*operands.a));
  Value right = builder.widen(operands.right, zeroPointOf(*operands.b));
  // In float, as the reference kernel computes it.
  const float real = operands.a->scale() * operands.b->scale() / operands.output->scale();
  const std::array multiplier{quantizeMultiplier(real)};
  return builder.rescale(combine<tosa::MulOp>(builder, left, right), builder.i8(), multiplier, 0,
                         zeroPointOf(*operands.output));
}

template <typename Op>
Expected<void> importBinary(GraphBuilder &builder, fbs::Activation activation,
                            Value (*bytes)(GraphBuilder &, const Operands &)) {
  auto operands = operandsOf(builder);
  if (!operands)
    return tl::unexpected(operands.error());
  if (auto checked = checkActivation(activation); !checked)
    return checked;
  const Tensor &output = *operands->output;
  Expected<Value> value = Value();
  if (isFloat(output))
    value =
        activateFloat(builder, combine<Op>(builder, operands->left, operands->right), activation);
  else
    value = builder.clamp(bytes(builder, *operands),
                          activationBounds(activation, output.scale(), zeroPointOf(output)));
  if (!value)
    return tl::unexpected(value.error());
  return builder.setOutput(0, builder.reshape(*value, output.shape));
}

/// Rescale to the output's scale, then clamp to real bounds.
Expected<void> importRectifier(GraphBuilder &builder, float low, float high) {
  auto ends = unaryEnds(builder);
  auto input = ends ? builder.input(0) : Expected<Value>(tl::unexpected(ends.error()));
  if (!input)
    return tl::unexpected(input.error());
  if (isFloat(*ends->input))
    return builder.setOutput(
        0, builder.clampFloat(*input, low,
                              std::isfinite(high) ? high : std::numeric_limits<float>::max()));
  const std::array multiplier{
      quantizeMultiplier(double(ends->input->scale()) / double(ends->output->scale()))};
  const int64_t zero = zeroPointOf(*ends->output);
  Value value = builder.rescale(*input, builder.i8(), multiplier, zeroPointOf(*ends->input), zero);
  return builder.setOutput(0,
                           builder.clamp(value, boundsOf(low, high, ends->output->scale(), zero)));
}

template <typename FloatOp>
Expected<void> importTable(GraphBuilder &builder, float (*function)(float)) {
  auto ends = unaryEnds(builder);
  auto input = ends ? builder.input(0) : Expected<Value>(tl::unexpected(ends.error()));
  if (!input)
    return tl::unexpected(input.error());
  if (isFloat(*ends->input))
    return builder.setOutput(0, FloatOp::create(builder.b, builder.loc, input->getType(), *input));
  const auto table = tableOf(function, ends->input->scale(), zeroPointOf(*ends->input),
                             ends->output->scale(), zeroPointOf(*ends->output));
  Value values = builder.constants<int8_t>(std::span<const int8_t>(table), {256});
  return builder.setOutput(
      0, tosa::TableOp::create(builder.b, builder.loc, input->getType(), *input, values));
}

} // namespace

Expected<void> importAdd(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_AddOptions();
  return importBinary<tosa::AddOp>(builder, options ? options->activation() : fbs::Activation::NONE,
                                   addBytes<tosa::AddOp>);
}

Expected<void> importSub(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_SubOptions();
  return importBinary<tosa::SubOp>(builder, options ? options->activation() : fbs::Activation::NONE,
                                   addBytes<tosa::SubOp>);
}

Expected<void> importMul(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_MulOptions();
  return importBinary<tosa::MulOp>(builder, options ? options->activation() : fbs::Activation::NONE,
                                   mulBytes);
}

Expected<void> importRelu(GraphBuilder &builder) { return importRectifier(builder, 0, kInfinity); }
Expected<void> importRelu6(GraphBuilder &builder) { return importRectifier(builder, 0, 6); }
Expected<void> importReluN1To1(GraphBuilder &builder) { return importRectifier(builder, -1, 1); }

Expected<void> importLogistic(GraphBuilder &builder) {
  return importTable<tosa::SigmoidOp>(builder,
                                      [](float x) { return 1.0f / (1.0f + std::exp(-x)); });
}
Expected<void> importTanh(GraphBuilder &builder) {
  return importTable<tosa::TanhOp>(builder, [](float x) { return std::tanh(x); });
}

} // namespace tenon::tflite
