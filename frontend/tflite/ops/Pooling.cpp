// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D and MEAN.
#include <algorithm>
#include <bit>
#include <cmath>

#include "frontend/tflite/Composite.h"
#include "frontend/tflite/ops/Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tenon::tflite {
namespace {

namespace tosa = mlir::tosa;
using mlir::Value;

struct Pool {
  Ends ends;
  const fbs::Pool2DOptions *options;
  Window h, w;
  Value input;
};

Expected<Pool> poolOf(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_Pool2DOptions();
  auto ends = unaryEnds(builder);
  if (!ends)
    return tl::unexpected(ends.error());
  if (!options || ends->input->rank() != 4)
    return fail("it needs its options and an input of 4 dimensions");
  if (auto checked = checkActivation(options->activation()); !checked)
    return tl::unexpected(checked.error());
  // The kernels never rescale here.
  if (isByte(*ends->input) && (ends->input->scale() != ends->output->scale() ||
                               ends->input->zeroPoint() != ends->output->zeroPoint()))
    return fail("input and output must have the same scale and zero point");
  const Shape &shape = ends->input->shape;
  auto h = windowOf(shape[1], options->filter_height(), options->stride_h(), 1, options->padding());
  auto w = windowOf(shape[2], options->filter_width(), options->stride_w(), 1, options->padding());
  auto input = builder.input(0);
  if (!h || !w || !input)
    return tl::unexpected(!h ? h.error() : !w ? w.error() : input.error());
  Value used = builder.slice(*input, {0, 0, 0, 0}, {shape[0], h->used, w->used, shape[3]});
  return Pool{*ends, options, *h, *w, used};
}

mlir::DenseI64ArrayAttr kernelOf(GraphBuilder &builder, const Pool &pool) {
  return builder.b.getDenseI64ArrayAttr(
      {pool.options->filter_height(), pool.options->filter_width()});
}
mlir::DenseI64ArrayAttr strideOf(GraphBuilder &builder, const Pool &pool) {
  return builder.b.getDenseI64ArrayAttr({pool.options->stride_h(), pool.options->stride_w()});
}
mlir::DenseI64ArrayAttr padOf(GraphBuilder &builder, const Pool &pool) {
  return builder.b.getDenseI64ArrayAttr(
      {pool.h.padBefore, pool.h.padAfter, pool.w.padBefore, pool.w.padAfter});
}
Shape outputShape(const Pool &pool) {
  const Shape &in = pool.ends.input->shape;
  return {in[0], pool.h.out, pool.w.out, in[3]};
}

/// How many elements of one dimension each window holds.
std::vector<int32_t> extentsOf(const Window &window, int64_t kernel, int64_t stride) {
  std::vector<int32_t> extents;
  for (int64_t i = 0; i < window.out; ++i) {
    const int64_t begin = i * stride - window.padBefore;
    extents.push_back(int32_t(std::min(begin + kernel, window.used) - std::max<int64_t>(begin, 0)));
  }
  return extents;
}

/// Sums of windows, as i32 of the values plus \p offset; padding adds nothing.
Value sumWindows(GraphBuilder &builder, const Pool &pool, Value input, int64_t offset) {
  mlir::OpBuilder &b = builder.b;
  Value wide =
      emitGeneric(builder, {input}, {builder.i32()}, [&](ScalarBuilder &s, mlir::ValueRange x) {
        return llvm::SmallVector<Value>{s.add(s.extend(x[0], 32), s.constant(offset))};
      })[0];
  Shape padded(llvm::cast<mlir::RankedTensorType>(input.getType()).getShape());
  padded[1] += pool.h.padBefore + pool.h.padAfter;
  padded[2] += pool.w.padBefore + pool.w.padAfter;
  wide = tosa::PadOp::create(b, builder.loc, builder.type(padded, builder.i32()), wide,
                             builder.shapeOf({0, 0, pool.h.padBefore, pool.h.padAfter,
                                              pool.w.padBefore, pool.w.padAfter, 0, 0}),
                             builder.scalar(0, builder.i32()));
  const Shape shape = outputShape(pool);
  Value zero = mlir::arith::ConstantOp::create(b, builder.loc, b.getI32IntegerAttr(0));
  Value empty = mlir::tensor::EmptyOp::create(b, builder.loc, shape, builder.i32());
  Value init = mlir::linalg::FillOp::create(b, builder.loc, zero, empty).getResult(0);
  Value window = mlir::tensor::EmptyOp::create(
      b, builder.loc, Shape{pool.options->filter_height(), pool.options->filter_width()},
      builder.i32());
  return mlir::linalg::PoolingNhwcSumOp::create(
             b, builder.loc, mlir::TypeRange{builder.type(shape, builder.i32())},
             mlir::ValueRange{wide, window}, mlir::ValueRange{init},
             b.getI64TensorAttr({pool.options->stride_h(), pool.options->stride_w()}),
             b.getI64TensorAttr({1, 1}))
      .getResult(0);
}

/// TFLite's reference average: the raw sum (of uint8 values in uint8 networks) by the number of
/// elements inside, ties away from zero.
Value averageBytes(GraphBuilder &builder, const Pool &pool, Value input, const Bounds &bounds) {
  const int64_t offset = pool.ends.input->type == TensorType::UINT8 ? 128 : 0;
  Value sums = sumWindows(builder, pool, input, offset);
  const auto rows = extentsOf(pool.h, pool.options->filter_height(), pool.options->stride_h());
  const auto columns = extentsOf(pool.w, pool.options->filter_width(), pool.options->stride_w());
  std::vector<int32_t> counts;
  for (int32_t row : rows)
    for (int32_t column : columns)
      counts.push_back(row * column);
  Value divisors =
      builder.constants<int32_t>(std::span<const int32_t>(counts), {1, pool.h.out, pool.w.out, 1});
  return emitGeneric(
      builder, {sums, divisors}, {builder.i8()}, [&](ScalarBuilder &s, mlir::ValueRange x) {
        Value half = s.shiftRight(x[1], s.constant(1));
        Value signedHalf = s.select(s.isNegative(x[0]), s.sub(s.constant(0), half), half);
        Value average = mlir::arith::DivSIOp::create(s.b, s.loc, s.add(x[0], signedHalf), x[1]);
        Value shifted = s.sub(average, s.constant(offset));
        return llvm::SmallVector<Value>{s.truncate(
            s.smaller(s.larger(shifted, s.constant(bounds.low)), s.constant(bounds.high)), 8)};
      })[0];
}

mlir::DictionaryAttr averageParameters(GraphBuilder &builder, const Pool &pool,
                                       const Bounds &bounds) {
  mlir::OpBuilder &b = builder.b;
  mlir::NamedAttrList list;
  list.set("kernel", kernelOf(builder, pool));
  list.set("stride", strideOf(builder, pool));
  list.set("pad", padOf(builder, pool));
  list.set("clamp", b.getDenseI64ArrayAttr({bounds.low, bounds.high}));
  list.set("input_zp", b.getI64IntegerAttr(zeroPointOf(*pool.ends.input)));
  if (pool.ends.input->type == TensorType::UINT8)
    list.set("origin", b.getStringAttr("uint8"));
  return list.getDictionary(b.getContext());
}

/// Multiplier of a mean over \p count elements. Source: TFLite's reference mean, which folds the
/// division into the rescale.
Multiplier meanMultiplier(double real, int64_t count) {
  const Multiplier base = quantizeMultiplier(real);
  const int exponent = 31 - base.shift;
  int shift = std::min(63 - std::countl_zero(uint64_t(count)), 32);
  shift = std::min(shift, 31 + exponent);
  return {int32_t((int64_t(base.value) << shift) / count), base.shift + shift};
}

/// Axes in ascending order, each once.
Expected<std::vector<int64_t>> axesOf(GraphBuilder &builder, int64_t rank) {
  auto axes = builder.integers(1);
  if (!axes)
    return axes;
  for (int64_t &axis : *axes) {
    if (axis < -rank || axis >= rank)
      return fail("axis {} is outside {} dimensions", axis, rank);
    axis += axis < 0 ? rank : 0;
  }
  std::sort(axes->begin(), axes->end());
  axes->erase(std::unique(axes->begin(), axes->end()), axes->end());
  return axes;
}

Value sumAxes(GraphBuilder &builder, Value value, const std::vector<int64_t> &axes) {
  for (int64_t axis : axes) {
    const auto from = llvm::cast<mlir::RankedTensorType>(value.getType());
    Shape shape(from.getShape());
    shape[size_t(axis)] = 1;
    value = tosa::ReduceSumOp::create(builder.b, builder.loc,
                                      builder.type(shape, from.getElementType()), value,
                                      builder.b.getI32IntegerAttr(int32_t(axis)));
  }
  return value;
}

} // namespace

Expected<void> importAveragePool2d(GraphBuilder &builder) {
  auto pool = poolOf(builder);
  if (!pool)
    return tl::unexpected(pool.error());
  const Shape shape = outputShape(*pool);
  if (isFloat(*pool->ends.input)) {
    Value average = tosa::AvgPool2dOp::create(
        builder.b, builder.loc, builder.type(shape, builder.f32()), pool->input,
        builder.scalar(0, builder.f32()), builder.scalar(0, builder.f32()),
        kernelOf(builder, *pool), strideOf(builder, *pool), padOf(builder, *pool),
        mlir::TypeAttr::get(builder.f32()));
    auto value = activateFloat(builder, average, pool->options->activation());
    return value ? builder.setOutput(0, *value) : tl::unexpected(value.error());
  }
  constexpr int64_t kMostWindows = 1 << 24;
  if (pool->h.out * pool->w.out > kMostWindows)
    return fail("{} windows are too many", pool->h.out * pool->w.out);
  const Bounds bounds = activationBounds(pool->options->activation(), pool->ends.output->scale(),
                                         zeroPointOf(*pool->ends.output));
  return builder.setOutput(0, emitComposite(builder, "tenon.avg_pool2d", {pool->input},
                                            builder.type(shape, builder.i8()),
                                            averageParameters(builder, *pool, bounds),
                                            [&](mlir::ValueRange x) {
                                              return averageBytes(builder, *pool, x[0], bounds);
                                            }));
}

Expected<void> importMaxPool2d(GraphBuilder &builder) {
  auto pool = poolOf(builder);
  if (!pool)
    return tl::unexpected(pool.error());
  const auto type = builder.type(outputShape(*pool), mlir::getElementTypeOrSelf(pool->input));
  Value value = tosa::MaxPool2dOp::create(
      builder.b, builder.loc, type, pool->input, kernelOf(builder, *pool), strideOf(builder, *pool),
      padOf(builder, *pool), tosa::NanPropagationMode::PROPAGATE);
  if (isFloat(*pool->ends.input)) {
    auto activated = activateFloat(builder, value, pool->options->activation());
    return activated ? builder.setOutput(0, *activated) : tl::unexpected(activated.error());
  }
  return builder.setOutput(
      0,
      builder.clamp(value, activationBounds(pool->options->activation(), pool->ends.output->scale(),
                                            zeroPointOf(*pool->ends.output))));
}

Expected<void> importMean(GraphBuilder &builder) {
  auto ends = unaryEnds(builder);
  auto axes = ends ? axesOf(builder, ends->input->rank()) : tl::unexpected(ends.error());
  auto input = axes ? builder.input(0) : Expected<Value>(tl::unexpected(axes.error()));
  if (!input)
    return tl::unexpected(input.error());
  int64_t count = 1;
  for (int64_t axis : *axes)
    count *= ends->input->shape[size_t(axis)];
  if (count < 1 || axes->empty())
    return fail("it reduces no elements");
  if (isFloat(*ends->input)) {
    Value sum = sumAxes(builder, *input, *axes);
    Value factor = builder.constant(mlir::DenseElementsAttr::get(
        builder.type(Shape(size_t(ends->input->rank()), 1), builder.f32()), 1.0f / float(count)));
    Value mean = tosa::MulOp::create(builder.b, builder.loc, sum.getType(), sum, factor,
                                     builder.scalar(0, builder.i8()));
    return builder.setOutput(0, builder.reshape(mean, ends->output->shape));
  }
  const Multiplier multiplier =
      meanMultiplier(double(ends->input->scale()) / double(ends->output->scale()), count);
  const int64_t inputZero = zeroPointOf(*ends->input), outputZero = zeroPointOf(*ends->output);
  mlir::OpBuilder &b = builder.b;
  const auto parameters =
      b.getDictionaryAttr({b.getNamedAttr("axes", b.getDenseI64ArrayAttr(*axes)),
                           b.getNamedAttr("input_zp", b.getI64IntegerAttr(inputZero)),
                           b.getNamedAttr("multiplier", b.getI64IntegerAttr(multiplier.value)),
                           b.getNamedAttr("output_zp", b.getI64IntegerAttr(outputZero)),
                           b.getNamedAttr("shift", b.getI64IntegerAttr(multiplier.shift))});
  return builder.setOutput(
      0, emitComposite(builder, "tenon.mean", {*input},
                       builder.type(ends->output->shape, builder.i8()), parameters,
                       [&](mlir::ValueRange x) {
                         Value sum = sumAxes(builder, builder.widen(x[0], inputZero), *axes);
                         Value mean = builder.rescale(sum, builder.i8(), std::array{multiplier}, 0,
                                                      outputZero);
                         return builder.reshape(mean, ends->output->shape);
                       }));
}

} // namespace tenon::tflite
