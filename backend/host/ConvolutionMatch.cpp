// SPDX-License-Identifier: Apache-2.0
// Recognises convolution, rescale and clamp in TOSA.
#include "backend/host/ConvolutionMatch.h"

#include "mlir/IR/Matchers.h"

namespace tenon::host {
namespace {

namespace tosa = mlir::tosa;

template <typename T> bool readConstant(mlir::Value value, std::vector<T> &numbers) {
  mlir::DenseElementsAttr elements;
  if (!mlir::matchPattern(value, mlir::m_Constant(&elements)) ||
      !elements.getElementType().isSignlessInteger())
    return false;
  numbers.reserve(elements.getNumElements());
  for (const llvm::APInt &number : elements.getValues<llvm::APInt>())
    numbers.push_back(static_cast<T>(number.getSExtValue()));
  return true;
}

bool readOne(mlir::Value value, int32_t &number) {
  std::vector<int32_t> numbers;
  if (!readConstant(value, numbers) || numbers.size() != 1)
    return false;
  number = numbers.front();
  return true;
}

/// A constant of one element a channel, or one for all of them.
template <typename T>
bool readPerChannel(mlir::Value value, size_t channels, std::vector<T> &numbers) {
  if (!readConstant(value, numbers))
    return false;
  if (numbers.size() == 1)
    numbers.resize(channels, numbers.front());
  return numbers.size() == channels;
}

bool isStaticI8(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getElementType().isSignlessInteger(8) &&
         type.getNumElements() > 0;
}

template <typename Conv> bool readConvolution(Conv conv, ConvolutionMatch &match) {
  int32_t weightZeroPoint = 0;
  if (!isStaticI8(conv.getInput()) || !isStaticI8(conv.getWeight()) ||
      !mlir::getElementTypeOrSelf(conv.getOutput()).isSignlessInteger(32) ||
      !readConstant(conv.getWeight(), match.weights) ||
      !readOne(conv.getInputZp(), match.inputZeroPoint) ||
      !readOne(conv.getWeightZp(), weightZeroPoint))
    return false;
  for (int16_t &weight : match.weights)
    weight = static_cast<int16_t>(weight - weightZeroPoint);
  match.input = conv.getInput();
  match.pad.assign(conv.getPad().begin(), conv.getPad().end());
  match.stride.assign(conv.getStride().begin(), conv.getStride().end());
  match.dilation.assign(conv.getDilation().begin(), conv.getDilation().end());
  const auto channels = llvm::cast<mlir::ShapedType>(conv.getOutput().getType()).getDimSize(3);
  return readPerChannel(conv.getBias(), channels, match.bias);
}

/// The only reader of \p value, if it is a \p Op.
template <typename Op> Op onlyUser(mlir::Value value) {
  return value.hasOneUse() ? llvm::dyn_cast<Op>(*value.getUsers().begin()) : Op();
}

bool readRescale(tosa::RescaleOp rescale, ConvolutionMatch &match) {
  int32_t inputZeroPoint = 0;
  if (!rescale || !rescale.getScale32() || rescale.getInputUnsigned() ||
      rescale.getOutputUnsigned() || !isStaticI8(rescale.getOutput()) ||
      rescale.getRoundingMode() == tosa::RoundingMode::INEXACT_ROUND ||
      !readOne(rescale.getInputZp(), inputZeroPoint) || inputZeroPoint != 0 ||
      !readOne(rescale.getOutputZp(), match.outputZeroPoint) ||
      !readPerChannel(rescale.getMultiplier(), match.bias.size(), match.multiplier) ||
      !readPerChannel(rescale.getShift(), match.bias.size(), match.shift))
    return false;
  match.doubleRound = rescale.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  match.last = rescale;
  return llvm::all_of(match.shift, [](int8_t shift) { return shift >= 2 && shift <= 62; });
}

void readClamp(tosa::ClampOp clamp, ConvolutionMatch &match) {
  if (!clamp)
    return;
  auto low = llvm::dyn_cast<mlir::IntegerAttr>(clamp.getMinVal());
  auto high = llvm::dyn_cast<mlir::IntegerAttr>(clamp.getMaxVal());
  if (!low || !high)
    return;
  match.low = static_cast<int32_t>(low.getValue().getSExtValue());
  match.high = static_cast<int32_t>(high.getValue().getSExtValue());
  match.last = clamp;
}

/// A depthwise convolution over one input channel is an ordinary one of M output channels.
void readDepthwiseShape(mlir::ShapedType weights, ConvolutionMatch &match) {
  match.kernelHeight = weights.getDimSize(0);
  match.kernelWidth = weights.getDimSize(1);
  match.depthwise = weights.getDimSize(3) == 1;
  if (match.depthwise)
    return;
  const int64_t taps = match.kernelHeight * match.kernelWidth, channels = weights.getDimSize(3);
  std::vector<int16_t> byChannel(match.weights.size());
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t channel = 0; channel < channels; ++channel)
      byChannel[channel * taps + tap] = match.weights[tap * channels + channel];
  match.weights = std::move(byChannel);
}

} // namespace

std::optional<ConvolutionMatch> matchConvolution(mlir::Operation *op) {
  ConvolutionMatch match;
  if (auto conv = llvm::dyn_cast<tosa::Conv2DOp>(op)) {
    if (!readConvolution(conv, match))
      return std::nullopt;
    auto weights = llvm::cast<mlir::ShapedType>(conv.getWeight().getType());
    match.kernelHeight = weights.getDimSize(1);
    match.kernelWidth = weights.getDimSize(2);
  } else if (auto conv = llvm::dyn_cast<tosa::DepthwiseConv2DOp>(op)) {
    auto weights = llvm::cast<mlir::ShapedType>(conv.getWeight().getType());
    if ((weights.getDimSize(3) != 1 && weights.getDimSize(2) != 1) || !readConvolution(conv, match))
      return std::nullopt;
    readDepthwiseShape(weights, match);
  } else {
    return std::nullopt;
  }
  if (!readRescale(onlyUser<tosa::RescaleOp>(op->getResult(0)), match))
    return std::nullopt;
  readClamp(onlyUser<tosa::ClampOp>(match.last->getResult(0)), match);
  return match;
}

} // namespace tenon::host
