// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE.
#include "frontend/tflite/Composite.h"
#include "frontend/tflite/ops/Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tenon::tflite {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

mlir::DictionaryAttr scaleParameters(GraphBuilder &builder, const Tensor &tensor) {
  mlir::OpBuilder &b = builder.b;
  return b.getDictionaryAttr(
      {b.getNamedAttr("scale", b.getF64FloatAttr(tensor.scale())),
       b.getNamedAttr("zero_point", b.getI64IntegerAttr(zeroPointOf(tensor)))});
}

/// round(x / scale), ties away from zero, plus the zero point.
llvm::SmallVector<Value> quantizeScalar(ScalarBuilder &s, Value x, const Tensor &output) {
  Value steps = arith::DivFOp::create(s.b, s.loc, x, s.real(output.scale()));
  Value rounded = mlir::math::RoundOp::create(s.b, s.loc, steps);
  // Values far outside saturate below in any case; bounds keep the cast defined.
  Value low = arith::MaximumFOp::create(s.b, s.loc, rounded, s.real(-1e6));
  Value bounded = arith::MinimumFOp::create(s.b, s.loc, low, s.real(1e6));
  Value integer = arith::FPToSIOp::create(s.b, s.loc, s.b.getI32Type(), bounded);
  Value shifted = s.add(integer, s.constant(zeroPointOf(output)));
  return {s.truncate(s.smaller(s.larger(shifted, s.constant(-128)), s.constant(127)), 8)};
}

} // namespace

Expected<void> importQuantize(GraphBuilder &builder) {
  const Tensor *input = builder.inputTensor(0), *output = builder.outputTensor(0);
  auto value = builder.input(0);
  if (!value)
    return tl::unexpected(value.error());
  if (!output)
    return fail("it needs an input and an output");
  if (!isByte(*output) || (!isByte(*input) && !isFloat(*input)))
    return fail("{} to {} is not supported; use int8, uint8 or float32", nameOf(input->type),
                nameOf(output->type));
  if (auto checked = needScale(*output); !checked)
    return checked;
  const int64_t zero = zeroPointOf(*output);
  if (isByte(*input)) {
    if (auto checked = needScale(*input); !checked)
      return checked;
    const std::array multiplier{
        quantizeMultiplier(double(input->scale()) / double(output->scale()))};
    return builder.setOutput(
        0, builder.rescale(*value, builder.i8(), multiplier, zeroPointOf(*input), zero));
  }
  return builder.setOutput(
      0,
      emitComposite(builder, "tenon.quantize", {*value}, builder.type(input->shape, builder.i8()),
                    scaleParameters(builder, *output), [&](mlir::ValueRange x) {
                      return emitGeneric(builder, {x[0]}, {builder.i8()},
                                         [&](ScalarBuilder &s, mlir::ValueRange e) {
                                           return quantizeScalar(s, e[0], *output);
                                         })[0];
                    }));
}

Expected<void> importDequantize(GraphBuilder &builder) {
  const Tensor *input = builder.inputTensor(0), *output = builder.outputTensor(0);
  auto value = builder.input(0);
  if (!value)
    return tl::unexpected(value.error());
  if (!output)
    return fail("it needs an input and an output");
  if (!isByte(*input) || !isFloat(*output))
    return fail("{} to {} is not supported; use int8 or uint8 to float32", nameOf(input->type),
                nameOf(output->type));
  if (auto checked = needScale(*input); !checked)
    return checked;
  return builder.setOutput(
      0, emitComposite(
             builder, "tenon.dequantize", {*value}, builder.type(input->shape, builder.f32()),
             scaleParameters(builder, *input), [&](mlir::ValueRange x) {
               return emitGeneric(
                   builder, {x[0]}, {builder.f32()}, [&](ScalarBuilder &s, mlir::ValueRange e) {
                     Value steps = s.sub(s.extend(e[0], 32), s.constant(zeroPointOf(*input)));
                     Value real = arith::SIToFPOp::create(s.b, s.loc, s.b.getF32Type(), steps);
                     return llvm::SmallVector<Value>{
                         arith::MulFOp::create(s.b, s.loc, real, s.real(input->scale()))};
                   })[0];
             }));
}

} // namespace tenon::tflite
