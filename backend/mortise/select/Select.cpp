// SPDX-License-Identifier: Apache-2.0
// Writes each composite's layers.
#include "backend/mortise/select/Select.h"

#include "backend/mortise/select/Constraints.h"
#include "backend/mortise/select/Patterns.h"
#include "backend/mortise/select/Program.h"
#include "backend/mortise/select/Softmax.h"
#include "backend/mortise/select/Tensors.h"

namespace tenon::mortise {
namespace {

using Failure = std::optional<SelectFailure>;

Scale scaleOf(const RescaleParse &rescale) {
  mlir::tosa::RescaleOp op = rescale.op;
  return {int32_t(splatOf(op.getMultiplier()).value_or(1 << 30)),
          uint8_t(splatOf(op.getShift()).value_or(30))};
}

class Writer {
public:
  Writer(mlir::func::FuncOp function, const std::vector<Step> &steps)
      : steps(steps), tensors(function, steps, graph) {}

  tl::expected<LayerGraph, SelectFailure> run() {
    for (const Step &step : steps)
      if (auto failure =
              std::visit([&](const auto &work) { return write(step, work); }, step.parsed.work))
        return tl::unexpected(*failure);
    for (const Tensors::OutputCopy &copy : tensors.outputCopies())
      copyWhole(copy);
    return std::move(graph);
  }

private:
  uint32_t tensorOf(const Step &step, mlir::Value inner) const {
    return tensors.of(step.outer(inner));
  }
  uint32_t outputOf(const Step &step) const { return tensors.of(step.composite->getResult(0)); }

  template <typename Work> void append(const Step &step, Work work, uint64_t macs = 0) {
    Layer layer;
    layer.composite = mlir::StringRef(ir::CompositeOp(step.composite).getName()).str();
    for (int64_t op : step.operators())
      layer.operators.push_back(uint32_t(op));
    layer.macs = macs;
    layer.work = std::move(work);
    graph.layers.push_back(std::move(layer));
  }

  /// A failure unless the tensor of \p inner has \p zeroPoint (int8).
  Failure expectZeroPoint(const Step &step, mlir::Value inner, int64_t zeroPoint) const {
    const int32_t there = tensors.zeroPointOf(step.outer(inner));
    if (there == zeroPoint)
      return std::nullopt;
    return step.failure("mortise.zero_point", std::to_string(there) + " and " +
                                                  std::to_string(zeroPoint) + " for one tensor");
  }

  static void fillWeights(MacLayer &layer, const ConvolutionParse &conv) {
    auto *op = conv.convolution;
    const auto weights = constantOf(op->getOperand(1)).value_or(std::vector<int64_t>());
    layer.weights.assign(weights.begin(), weights.end());
    const auto shape = shapeOf(op->getOperand(1));
    if (!conv.depthwise)
      return;
    layer.mode = MacMode::DEPTHWISE;
    layer.channelMultiplier = uint8_t(shape[3]);
    if (shape[2] != 1)
      return;
    // One input channel: an ordinary convolution of as many output channels.
    layer.mode = MacMode::CONV;
    layer.channelMultiplier = 1;
    const int64_t taps = shape[0] * shape[1], channels = shape[3];
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t channel = 0; channel < channels; ++channel)
        layer.weights[channel * taps + tap] = int8_t(weights[tap * channels + channel]);
  }

  static void fillScales(MacLayer &layer, const ConvolutionParse &conv, size_t channels) {
    mlir::tosa::RescaleOp rescale = conv.rescale.op;
    const auto bias = perChannelOf(conv.convolution->getOperand(2), channels);
    const auto multipliers = perChannelOf(rescale.getMultiplier(), channels);
    const auto shifts = perChannelOf(rescale.getShift(), channels);
    for (size_t i = 0; bias && multipliers && shifts && i < channels; ++i) {
      layer.bias.push_back(int32_t((*bias)[i]));
      layer.scales.push_back({int32_t((*multipliers)[i]), uint8_t((*shifts)[i])});
    }
    layer.rounding = rescale.getRoundingMode() == mlir::tosa::RoundingMode::DOUBLE_ROUND
                         ? Rounding::DOUBLE
                         : Rounding::SINGLE;
  }

  void fillAdd(MacLayer &layer, const Step &step, const AddParse &add, int32_t flip) const {
    FusedEltwise fused;
    fused.op = !add.subtract ? Eltwise::ADD : add.firstIsOther ? Eltwise::RSUB : Eltwise::SUB;
    fused.operand = tensorOf(step, add.operand);
    fused.inputLeftShift = uint8_t(add.leftShift);
    fused.main = scaleOf(add.main);
    fused.operandScale = scaleOf(add.other);
    fused.result = scaleOf(add.result);
    layer.eltwise = fused;
    layer.clampBMin = int32_t(add.low) + flip;
    layer.clampBMax = int32_t(add.high) + flip;
  }

  /// The convolution's own result is int8 if an addition follows, else of the output's type.
  void fillPost(MacLayer &layer, const Step &step, const ConvolutionParse &conv) const {
    const int32_t flip = graph.tensors[layer.output].dtype == DType::U8 ? 128 : 0;
    const int32_t own = conv.add ? 0 : flip;
    layer.zeroPointA = int32_t(conv.rescale.outputZeroPoint) + own;
    layer.clampAMin = int32_t(conv.low) + own;
    layer.clampAMax = int32_t(conv.high) + own;
    if (conv.add)
      fillAdd(layer, step, *conv.add, flip);
    if (!conv.table)
      return;
    const auto entries = perChannelOf(conv.table, 256).value_or(std::vector<int64_t>(256));
    layer.table.emplace();
    for (size_t i = 0; i < 256; ++i)
      (*layer.table)[i] = int8_t(entries[i] + flip);
  }

  Failure checkZeroPoints(const Step &step, const ConvolutionParse &conv) const {
    const int64_t zero = splatOf(conv.convolution->getOperand(3)).value_or(0);
    if (auto failure = expectZeroPoint(step, conv.input, zero))
      return failure;
    if (conv.add) {
      if (auto failure = expectZeroPoint(step, conv.add->operand, conv.add->operandZeroPoint))
        return failure;
      return expectZeroPoint(step, step.parsed.result, conv.add->result.outputZeroPoint);
    }
    return conv.table ? std::nullopt
                      : expectZeroPoint(step, step.parsed.result, conv.rescale.outputZeroPoint);
  }

  Failure write(const Step &step, const ConvolutionParse &conv) {
    if (auto failure = checkZeroPoints(step, conv))
      return failure;
    MacLayer layer;
    layer.input = tensors.view(tensorOf(step, conv.input), conv.inputExtents);
    layer.output = outputOf(step);
    layer.kernelH = uint8_t(conv.kernel[0]), layer.kernelW = uint8_t(conv.kernel[1]);
    layer.strideH = uint8_t(conv.stride[0]), layer.strideW = uint8_t(conv.stride[1]);
    layer.dilationH = uint8_t(conv.dilation[0]), layer.dilationW = uint8_t(conv.dilation[1]);
    layer.padTop = conv.pad[0], layer.padBottom = conv.pad[1];
    layer.padLeft = conv.pad[2], layer.padRight = conv.pad[3];
    if (conv.fullyConnected && layer.kernelH * layer.kernelW == 1)
      layer.mode = MacMode::MATMUL;
    fillWeights(layer, conv);
    layer.weightZeroPoint = int16_t(splatOf(conv.convolution->getOperand(4)).value_or(0));
    const Extents output = extentsOf(conv.convolution->getResult(0));
    fillScales(layer, conv, output.c);
    fillPost(layer, step, conv);
    layer.output = tensors.view(layer.output, output);
    const uint64_t contracted = layer.mode == MacMode::DEPTHWISE ? 1 : conv.inputExtents.c;
    const uint64_t macs = output.count() * conv.kernel[0] * conv.kernel[1] * contracted;
    append(step, std::move(layer), macs);
    return std::nullopt;
  }

  Failure write(const Step &step, const PoolParse &pool) {
    const int32_t zero = tensors.zeroPointOf(step.outer(pool.input));
    if (pool.inputZeroPoint)
      if (auto failure = expectZeroPoint(step, pool.input, *pool.inputZeroPoint))
        return failure;
    PoolLayer layer;
    layer.operation = pool.average ? VecOperation::AVERAGE : VecOperation::MAX;
    layer.input = tensorOf(step, pool.input);
    layer.output = outputOf(step);
    layer.kernelH = uint8_t(pool.kernel[0]), layer.kernelW = uint8_t(pool.kernel[1]);
    layer.strideH = uint8_t(pool.stride[0]), layer.strideW = uint8_t(pool.stride[1]);
    layer.padTop = pool.pad[0], layer.padBottom = pool.pad[1];
    layer.padLeft = pool.pad[2], layer.padRight = pool.pad[3];
    // The engine reads value - zero point; the mean is of the values themselves.
    if (pool.average)
      layer.inputOffset = zero + (pool.unsignedOrigin ? 128 : 0);
    layer.clampMin = int32_t(pool.low) - zero;
    layer.clampMax = int32_t(pool.high) - zero;
    append(step, layer);
    return std::nullopt;
  }

  Failure write(const Step &step, const MeanParse &mean) {
    if (auto failure = expectZeroPoint(step, mean.input, mean.inputZeroPoint))
      return failure;
    if (auto failure = expectZeroPoint(step, step.parsed.result, mean.outputZeroPoint))
      return failure;
    Extents extents = extentsOf(mean.input);
    extents.h = mean.overRows ? 1 : extents.h;
    extents.w = mean.overColumns ? 1 : extents.w;
    extents.c = mean.overChannels ? 1 : extents.c;
    ReduceLayer reduce;
    reduce.input = tensorOf(step, mean.input);
    reduce.axes = uint8_t((mean.overRows ? Axis::H : 0) | (mean.overColumns ? Axis::W : 0) |
                          (mean.overChannels ? Axis::C : 0));
    reduce.output =
        tensors.add(graph.tensors[outputOf(step)].name + "_sum", extents, DType::I32, 0);
    append(step, reduce);
    ElementwiseLayer rescale;
    rescale.a = reduce.output;
    rescale.output = tensors.view(outputOf(step), extents);
    rescale.program = {microOp(MicroOpcode::RESCALE, 0, uint8_t(Source::A), uint8_t(mean.shift),
                               int32_t(mean.multiplier), uint8_t(MicroOption::DOUBLE))};
    append(step, std::move(rescale));
    return std::nullopt;
  }

  Failure write(const Step &step, const SoftmaxParse &softmax) {
    SoftmaxTensors used{tensorOf(step, softmax.input), outputOf(step), {}};
    const std::string name = graph.tensors[used.output].name;
    for (size_t i = 0; i < used.scratch.size(); ++i)
      used.scratch[i] =
          tensors.add(name + "_part" + std::to_string(i), extentsOf(softmax.input), DType::I32, 0);
    const int32_t zero = tensors.zeroPointOf(step.outer(step.parsed.result));
    for (ElementwiseLayer &layer : makeSoftmax(used, softmax.table, zero))
      append(step, std::move(layer));
    return std::nullopt;
  }

  Failure write(const Step &step, const ElementwiseParse &work) {
    auto inputs = work.inputs;
    const mlir::Value result = step.parsed.result;
    if (inputs.size() == 2 && shapeOf(inputs[0]) != shapeOf(result))
      std::swap(inputs[0], inputs[1]);
    std::vector<ProgramInput> read;
    for (mlir::Value input : inputs)
      read.push_back({input, tensors.zeroPointOf(step.outer(input))});
    auto program = makeProgram(result, read, tensors.zeroPointOf(step.outer(result)));
    if (!program)
      return step.failure("mortise.program", program.error().message);
    program->a = tensorOf(step, inputs[0]);
    if (inputs.size() == 2)
      program->b = tensorOf(step, inputs[1]);
    program->output = outputOf(step);
    append(step, std::move(*program));
    return std::nullopt;
  }

  /// \p tensor itself, or a copy as int8 of what lies outside as uint8: a copy keeps bytes.
  uint32_t asSigned(const Step &step, uint32_t tensor) {
    const LayerTensor from = graph.tensors[tensor];
    if (from.dtype != DType::U8)
      return tensor;
    ElementwiseLayer convert;
    convert.a = tensor;
    convert.output = tensors.add(from.name + "_signed", {from.h, from.w, from.c}, DType::I8,
                                 from.zeroPoint - 128);
    convert.program = {microOp(MicroOpcode::MOV, 0, uint8_t(Source::A))};
    append(step, convert);
    return convert.output;
  }

  Failure write(const Step &step, const CopyParse &work) {
    if (work.fill)
      if (auto failure = expectZeroPoint(step, step.parsed.result, *work.fill))
        return failure;
    const auto narrow = [](const std::array<int64_t, 3> &wide) {
      return std::array<uint32_t, 3>{uint32_t(wide[0]), uint32_t(wide[1]), uint32_t(wide[2])};
    };
    for (const CopyParse::Part &part : work.parts) {
      CopyLayer copy;
      copy.input = asSigned(step, tensorOf(step, part.input));
      copy.output = outputOf(step);
      copy.from = narrow(part.from), copy.to = narrow(part.to), copy.extent = narrow(part.extent);
      copy.fillFirst = work.fill.has_value();
      append(step, copy);
    }
    return std::nullopt;
  }

  Failure write(const Step &, const ReshapeParse &) { return std::nullopt; }

  bool isIncomingCast(mlir::Operation *op) const {
    auto step = llvm::find_if(steps, [&](const Step &other) { return other.composite == op; });
    auto *cast = step == steps.end() ? nullptr : std::get_if<EdgeCastParse>(&step->parsed.work);
    return cast && cast->incoming;
  }

  /// A uint8 tensor is a function's argument that only casts read, or what it returns.
  bool isAtEdge(const Step &step, const EdgeCastParse &cast) const {
    if (!cast.incoming)
      return llvm::all_of(step.composite->getUsers(), [](mlir::Operation *user) {
        return user->hasTrait<mlir::OpTrait::IsTerminator>();
      });
    const mlir::Value outside = step.outer(cast.input);
    return llvm::isa<mlir::BlockArgument>(outside) &&
           llvm::all_of(outside.getUsers(),
                        [&](mlir::Operation *user) { return isIncomingCast(user); });
  }

  /// Only another name for the tensor: its type lies in the tensor.
  Failure write(const Step &step, const EdgeCastParse &cast) const {
    if (isAtEdge(step, cast))
      return std::nullopt;
    return step.failure("mortise.form", "a uint8 tensor inside the partition");
  }

  void copyWhole(const Tensors::OutputCopy &copy) {
    const LayerTensor &to = graph.tensors[copy.to];
    const Extents extents{to.h, to.w, to.c};
    const bool sameBytes = graph.tensors[copy.from].dtype == to.dtype;
    Layer layer;
    layer.composite = "mortise.output_copy";
    const uint32_t from = tensors.view(copy.from, extents);
    if (sameBytes) {
      CopyLayer bytes;
      bytes.input = from, bytes.output = copy.to;
      bytes.extent = {uint32_t(extents.h), uint32_t(extents.w), uint32_t(extents.c)};
      layer.work = bytes;
    } else {
      ElementwiseLayer convert;
      convert.a = from, convert.output = copy.to;
      convert.program = {microOp(MicroOpcode::MOV, 0, uint8_t(Source::A))};
      layer.work = std::move(convert);
    }
    graph.layers.push_back(std::move(layer));
  }

  const std::vector<Step> &steps;
  LayerGraph graph;
  Tensors tensors;
};

} // namespace

tl::expected<LayerGraph, SelectFailure> select(mlir::func::FuncOp function) {
  std::vector<Step> steps;
  for (mlir::Operation &op : function.getBody().front().without_terminator()) {
    if (isConstant(op.getNumResults() ? op.getResult(0) : mlir::Value()))
      continue;
    auto parsed = parseComposite(&op);
    if (!parsed)
      return tl::unexpected(
          SelectFailure{{}, refuse("mortise.form", op.getName().getStringRef().str())});
    steps.push_back({llvm::cast<ir::CompositeOp>(&op), std::move(*parsed)});
  }
  return Writer(function, steps).run();
}

} // namespace tenon::mortise
