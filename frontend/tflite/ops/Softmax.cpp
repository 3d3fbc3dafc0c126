// SPDX-License-Identifier: Apache-2.0
// SOFTMAX. int8 and uint8: the reference kernel's fixed point, exponentials by a table of the
// difference to the largest value; float: by its definition.
#include "frontend/tflite/Composite.h"
#include "frontend/tflite/ops/Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tenon::tflite {
namespace {

namespace tosa = mlir::tosa;
using mlir::Value;

constexpr int kSumIntegerBits = 12;

template <typename Op> Value reduceLast(GraphBuilder &builder, Value value) {
  const auto from = llvm::cast<mlir::RankedTensorType>(value.getType());
  Shape shape(from.getShape());
  shape.back() = 1;
  const auto axis = uint32_t(shape.size()) - 1;
  const auto type = builder.type(shape, from.getElementType());
  if constexpr (std::is_same_v<Op, tosa::ReduceMaxOp>)
    return Op::create(builder.b, builder.loc, type, value, axis,
                      tosa::NanPropagationMode::PROPAGATE);
  else
    return Op::create(builder.b, builder.loc, type, value, axis);
}

/// 1 / (1 + x) for x in [0, 1) with 31 fraction bits: Newton-Raphson, three steps.
Value reciprocal(ScalarBuilder &s, Value x) {
  Value sum = s.add(s.add(s.extend(x, 64), s.constant(INT32_MAX, 64)), s.constant(1, 64));
  Value half = s.truncate(s.shiftRight(sum, s.constant(1, 64)), 32);
  constexpr int64_t k48Over17 = 1515870810, kMinus32Over17 = -1010580540;
  Value y = s.add(s.constant(k48Over17), s.highMul(half, s.constant(kMinus32Over17)));
  for (int i = 0; i < 3; ++i) {
    Value rest = s.sub(s.constant(1 << 29), s.highMul(half, y));
    y = s.add(y, s.shiftLeft(s.highMul(y, rest), s.constant(2)));
  }
  Value doubled = s.shiftLeft(s.extend(y, 64), s.constant(1, 64));
  return s.truncate(s.smaller(doubled, s.constant(INT32_MAX, 64)), 32);
}

Value softmaxBytes(GraphBuilder &builder, Value input, std::span<const int32_t> table) {
  Value exponentials = builder.constants<int32_t>(table, {256});
  Value largest = reduceLast<tosa::ReduceMaxOp>(builder, input);
  Value exps = emitGeneric(
      builder, {input, largest}, {builder.i32()}, [&](ScalarBuilder &s, mlir::ValueRange x) {
        Value difference = s.sub(s.extend(x[1], 32), s.extend(x[0], 32));
        Value index = mlir::arith::IndexCastOp::create(s.b, s.loc, s.b.getIndexType(), difference);
        return llvm::SmallVector<Value>{
            mlir::tensor::ExtractOp::create(s.b, s.loc, exponentials, index)};
      })[0];
  Value parts =
      emitGeneric(builder, {exps}, {builder.i32()}, [](ScalarBuilder &s, mlir::ValueRange x) {
        return llvm::SmallVector<Value>{s.roundingShift(x[0], s.constant(kSumIntegerBits))};
      })[0];
  Value sums = reduceLast<tosa::ReduceSumOp>(builder, parts);
  auto scales = emitGeneric(
      builder, {sums}, {builder.i32(), builder.i32()}, [](ScalarBuilder &s, mlir::ValueRange x) {
        Value headroom = mlir::math::CountLeadingZerosOp::create(s.b, s.loc, x[0]);
        Value normal = s.sub(s.shiftLeft(x[0], headroom), s.constant(INT32_MIN));
        Value shift = s.sub(s.constant(kSumIntegerBits + 31 - 8), headroom);
        return llvm::SmallVector<Value>{reciprocal(s, normal), shift};
      });
  return emitGeneric(builder, {exps, scales[0], scales[1]}, {builder.i8()},
                     [](ScalarBuilder &s, mlir::ValueRange x) {
                       Value share = s.roundingShift(s.highMul(x[1], x[0]), x[2]);
                       Value value = s.add(share, s.constant(-128));
                       value = s.smaller(s.larger(value, s.constant(-128)), s.constant(127));
                       return llvm::SmallVector<Value>{s.truncate(value, 8)};
                     })[0];
}

Value softmaxFloat(GraphBuilder &builder, Value input, float beta) {
  mlir::OpBuilder &b = builder.b;
  const auto type = input.getType();
  Value largest = reduceLast<tosa::ReduceMaxOp>(builder, input);
  Value shifted = tosa::SubOp::create(b, builder.loc, type, input, largest);
  const Shape ones(size_t(llvm::cast<mlir::RankedTensorType>(type).getRank()), 1);
  Value factor =
      builder.constant(mlir::DenseElementsAttr::get(builder.type(ones, builder.f32()), beta));
  Value noShift = builder.scalar(0, builder.i8());
  Value scaled = tosa::MulOp::create(b, builder.loc, type, shifted, factor, noShift);
  Value exps = tosa::ExpOp::create(b, builder.loc, type, scaled);
  Value sum = reduceLast<tosa::ReduceSumOp>(builder, exps);
  Value inverse = tosa::ReciprocalOp::create(b, builder.loc, sum.getType(), sum);
  return tosa::MulOp::create(b, builder.loc, type, exps, inverse, noShift);
}

} // namespace

Expected<void> importSoftmax(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_SoftmaxOptions();
  auto ends = unaryEnds(builder);
  auto input = ends ? builder.input(0) : Expected<Value>(tl::unexpected(ends.error()));
  if (!input)
    return tl::unexpected(input.error());
  const float beta = options ? options->beta() : 1;
  if (ends->input->shape.empty() || !(beta > 0))
    return fail("it needs a dimension and a positive beta, not {}", beta);
  if (isFloat(*ends->input))
    return builder.setOutput(0, softmaxFloat(builder, *input, beta));
  if (ends->output->scale() != 1.0f / 256 || zeroPointOf(*ends->output) != -128)
    return fail("its output must have scale 1/256 and the lowest zero point");
  const auto table = softmaxTable(double(beta), double(ends->input->scale()));
  mlir::OpBuilder &b = builder.b;
  const auto parameters =
      b.getDictionaryAttr({b.getNamedAttr("table", b.getDenseI32ArrayAttr(table))});
  return builder.setOutput(
      0, emitComposite(builder, "tenon.softmax", {*input}, input->getType(), parameters,
                       [&](mlir::ValueRange x) { return softmaxBytes(builder, x[0], table); }));
}

} // namespace tenon::tflite
