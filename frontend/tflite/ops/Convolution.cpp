// SPDX-License-Identifier: Apache-2.0
// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED.
#include "frontend/tflite/ops/Operators.h"

namespace tenon::tflite {
namespace {

namespace tosa = mlir::tosa;
using mlir::Value;

/// What the three have in common.
struct Parts {
  const Tensor *input, *weights, *bias, *output;
  int64_t channels; ///< of the output
};

Expected<Parts> partsOf(GraphBuilder &builder, size_t weightRank, size_t channelDimension) {
  auto ends = unaryEnds(builder);
  if (!ends)
    return tl::unexpected(ends.error());
  const Tensor *weights = builder.inputTensor(1);
  if (!weights || weights->shape.size() != weightRank || ends->input->shape.empty())
    return fail("its weights must have {} dimensions", weightRank);
  if (weights->type != ends->input->type)
    return fail("{} input with {} weights is not supported; use the same type for both",
                nameOf(ends->input->type), nameOf(weights->type));
  Parts parts{ends->input, weights, builder.inputTensor(2), ends->output,
              weights->shape[channelDimension]};
  if (isByte(*parts.input)) {
    const Quantization &q = weights->quantization;
    if (q.scales.empty() || (!q.perTensor() && (q.dimension != int32_t(channelDimension) ||
                                                int64_t(q.scales.size()) != parts.channels)))
      return fail("weights must have one scale, or one an output channel");
    for (size_t i = 0; !q.perTensor() && i < q.zeroPoints.size(); ++i)
      if (q.zeroPoints[i] - (weights->type == TensorType::UINT8 ? 128 : 0) != 0)
        return fail("weights with a scale a channel must have zero point 0");
  }
  if (parts.bias) {
    const TensorType wanted = isFloat(*parts.input) ? TensorType::FLOAT32 : TensorType::INT32;
    if (parts.bias->type != wanted || parts.bias->elementCount() != parts.channels)
      return fail("bias is {} of {} elements, not {} of {}", nameOf(parts.bias->type),
                  parts.bias->elementCount(), nameOf(wanted), parts.channels);
  }
  return parts;
}

Expected<Value> biasOf(GraphBuilder &builder, const Parts &parts) {
  if (parts.bias) {
    auto bias = builder.input(2);
    return bias ? Expected<Value>(builder.reshape(*bias, {parts.channels})) : bias;
  }
  mlir::Type element = isFloat(*parts.input) ? builder.f32() : builder.i32();
  return builder.constant(mlir::DenseElementsAttr::get(builder.type({parts.channels}, element),
                                                       builder.b.getZeroAttr(element)));
}

/// Multipliers from accumulator to output. \p floatProduct: the product of the two input scales is
/// rounded to float first, as the kernels for uint8 and for fully connected layers do.
std::vector<Multiplier> multipliersOf(const Parts &parts, bool floatProduct) {
  std::vector<Multiplier> result;
  for (float scale : parts.weights->quantization.scales) {
    const double product = floatProduct ? double(parts.input->scale() * scale)
                                        : double(parts.input->scale()) * double(scale);
    result.push_back(quantizeMultiplier(product / double(parts.output->scale())));
  }
  return result;
}

/// Accumulator to output value, activation included.
Expected<Value> finishBytes(GraphBuilder &builder, const Parts &parts, Value accumulator,
                            fbs::Activation activation, bool floatProduct,
                            tosa::RoundingMode rounding) {
  if (auto checked = checkActivation(activation); !checked)
    return tl::unexpected(checked.error());
  const int64_t zero = zeroPointOf(*parts.output);
  const std::vector<Multiplier> multipliers =
      multipliersOf(parts, floatProduct && parts.weights->quantization.perTensor());
  Value value = builder.rescale(accumulator, builder.i8(), multipliers, 0, zero, rounding);
  return builder.clamp(value, activationBounds(activation, parts.output->scale(), zero));
}

Expected<Value> finish(GraphBuilder &builder, const Parts &parts, Value accumulator,
                       fbs::Activation activation, bool floatProduct,
                       tosa::RoundingMode rounding = tosa::RoundingMode::DOUBLE_ROUND) {
  return isFloat(*parts.input)
             ? activateFloat(builder, accumulator, activation)
             : finishBytes(builder, parts, accumulator, activation, floatProduct, rounding);
}

/// Constant weights stay a constant, so that backends see one and no operator is left over.
Value reshapeWeights(GraphBuilder &builder, Value weights, const Shape &shape) {
  mlir::DenseElementsAttr values;
  const auto from = llvm::cast<mlir::RankedTensorType>(weights.getType());
  if (from.getShape() != llvm::ArrayRef<int64_t>(shape) &&
      mlir::matchPattern(weights, mlir::m_Constant(&values)))
    return builder.constant(values.reshape(builder.type(shape, values.getElementType())));
  return builder.reshape(weights, shape);
}

struct Windows {
  Window h, w;
};

template <typename Options>
Expected<Windows> windowsOf(const Tensor &input, int64_t kernelH, int64_t kernelW,
                            const Options &options) {
  auto h = windowOf(input.shape[1], kernelH, options.stride_h(), options.dilation_h(),
                    options.padding());
  auto w = windowOf(input.shape[2], kernelW, options.stride_w(), options.dilation_w(),
                    options.padding());
  if (!h || !w)
    return tl::unexpected(!h ? h.error() : w.error());
  return Windows{*h, *w};
}

/// TOSA wants no input left over behind the last window.
Value usedPart(GraphBuilder &builder, Value input, const Tensor &tensor, const Windows &windows) {
  return builder.slice(input, {0, 0, 0, 0},
                       {tensor.shape[0], windows.h.used, windows.w.used, tensor.shape[3]});
}

template <typename Op, typename Options>
Value emitWindowed(GraphBuilder &builder, const Parts &parts, const Windows &windows, Value input,
                   Value weights, Value bias, const Options &options) {
  mlir::OpBuilder &b = builder.b;
  const bool isReal = isFloat(*parts.input);
  mlir::Type accumulator = isReal ? builder.f32() : builder.i32();
  mlir::Type element = isReal ? builder.f32() : builder.i8();
  const auto type = builder.type(
      {parts.input->shape[0], windows.h.out, windows.w.out, parts.channels}, accumulator);
  return Op::create(b, builder.loc, type, input, weights, bias,
                    builder.scalar(isReal ? 0 : zeroPointOf(*parts.input), element),
                    builder.scalar(isReal ? 0 : zeroPointOf(*parts.weights), element),
                    b.getDenseI64ArrayAttr({windows.h.padBefore, windows.h.padAfter,
                                            windows.w.padBefore, windows.w.padAfter}),
                    b.getDenseI64ArrayAttr({options.stride_h(), options.stride_w()}),
                    b.getDenseI64ArrayAttr({options.dilation_h(), options.dilation_w()}),
                    mlir::TypeAttr::get(accumulator), b.getBoolAttr(false));
}

/// The values of the three inputs.
struct Operands {
  Value input, weights, bias;
};

Expected<Operands> operandsOf(GraphBuilder &builder, const Parts &parts) {
  auto input = builder.input(0), weights = builder.input(1), bias = biasOf(builder, parts);
  if (!input || !weights || !bias)
    return tl::unexpected(!input ? input.error() : !weights ? weights.error() : bias.error());
  return Operands{*input, *weights, *bias};
}

/// The whole of a windowed operator whose parts fit; \p weightShape as \p Op wants it.
template <typename Op, typename Options>
Expected<void> importWindowed(GraphBuilder &builder, const Parts &parts, const Options &options,
                              const Shape &weightShape) {
  const Shape &kernel = parts.weights->shape;
  auto windows = windowsOf(*parts.input, kernel[1], kernel[2], options);
  auto operands = operandsOf(builder, parts);
  if (!windows || !operands)
    return tl::unexpected(!windows ? windows.error() : operands.error());
  Value used = usedPart(builder, operands->input, *parts.input, *windows);
  Value weights = reshapeWeights(builder, operands->weights, weightShape);
  Value sum = emitWindowed<Op>(builder, parts, *windows, used, weights, operands->bias, options);
  auto value =
      finish(builder, parts, sum, options.activation(), parts.input->type == TensorType::UINT8);
  return value ? builder.setOutput(0, *value) : tl::unexpected(value.error());
}

} // namespace

Expected<void> importConv2d(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_Conv2DOptions();
  auto parts = partsOf(builder, 4, 0);
  if (!parts)
    return tl::unexpected(parts.error());
  const Shape &in = parts->input->shape, &kernel = parts->weights->shape;
  if (!options || in.size() != 4)
    return fail("it needs its options and an input of 4 dimensions");
  if (kernel[3] != in[3])
    return fail("{} input channels for weights of {}: groups are not supported", in[3], kernel[3]);
  return importWindowed<tosa::Conv2DOp>(builder, *parts, *options, kernel);
}

Expected<void> importDepthwiseConv2d(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_DepthwiseConv2DOptions();
  auto parts = partsOf(builder, 4, 3);
  if (!parts)
    return tl::unexpected(parts.error());
  const Shape &in = parts->input->shape, &kernel = parts->weights->shape;
  if (!options || in.size() != 4)
    return fail("it needs its options and an input of 4 dimensions");
  if (kernel[0] != 1 || in[3] < 1 || kernel[3] % in[3] != 0)
    return fail("weights of {} channels do not fit {} input channels", kernel[3], in[3]);
  return importWindowed<tosa::DepthwiseConv2DOp>(builder, *parts, *options,
                                                 {kernel[1], kernel[2], in[3], kernel[3] / in[3]});
}

Expected<void> importFullyConnected(GraphBuilder &builder) {
  const auto *options = builder.op().raw->options_as_FullyConnectedOptions();
  auto parts = partsOf(builder, 2, 0);
  if (!parts)
    return tl::unexpected(parts.error());
  if (!options || options->weights_format() != 0)
    return fail("it needs its options and the default weights format");
  const int64_t depth = parts->weights->shape[1], count = parts->input->elementCount();
  if (depth < 1 || count % depth != 0)
    return fail("{} input elements for weights of depth {}", count, depth);
  auto operands = operandsOf(builder, *parts);
  if (!operands)
    return tl::unexpected(operands.error());
  const int64_t rows = count / depth;
  Value shaped = reshapeWeights(builder, operands->weights, {parts->channels, 1, 1, depth});
  const bool isReal = isFloat(*parts->input);
  mlir::Type accumulator = isReal ? builder.f32() : builder.i32();
  mlir::Type element = isReal ? builder.f32() : builder.i8();
  mlir::OpBuilder &b = builder.b;
  Value sum = tosa::Conv2DOp::create(
      b, builder.loc, builder.type({rows, 1, 1, parts->channels}, accumulator),
      builder.reshape(operands->input, {rows, 1, 1, depth}), shaped, operands->bias,
      builder.scalar(isReal ? 0 : zeroPointOf(*parts->input), element),
      builder.scalar(isReal ? 0 : zeroPointOf(*parts->weights), element),
      b.getDenseI64ArrayAttr({0, 0, 0, 0}), b.getDenseI64ArrayAttr({1, 1}),
      b.getDenseI64ArrayAttr({1, 1}), mlir::TypeAttr::get(accumulator), b.getBoolAttr(false));
  // The int8 kernel rounds once, the uint8 one twice, as convolutions do.
  const bool isUint8 = parts->input->type == TensorType::UINT8;
  auto value =
      finish(builder, *parts, sum, options->activation(), isUint8,
             isUint8 ? tosa::RoundingMode::DOUBLE_ROUND : tosa::RoundingMode::SINGLE_ROUND);
  if (!value)
    return tl::unexpected(value.error());
  return builder.setOutput(0, builder.reshape(*value, parts->output->shape));
}

} // namespace tenon::tflite
