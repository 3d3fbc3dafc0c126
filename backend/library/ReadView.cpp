// SPDX-License-Identifier: Apache-2.0
// From what backend/patterns recognises to plain values.
#include "backend/library/ReadView.h"

namespace tenon::library {
namespace {

namespace tosa = mlir::tosa;
using mlir::Operation;
using mlir::Value;
using patterns::constantOf;
using patterns::shapeOf;
using patterns::splatOf;

Tensor tensorOf(Value value, Element element = Element::Int8) {
  const auto shape = shapeOf(value);
  return {"", {shape.begin(), shape.end()}, element, {}};
}

/// The last dimension is channels; missing ones are 1, superfluous ones samples.
Extents extentsOf(Value value) {
  const auto folded = patterns::extentsOf(value);
  const int64_t batch = patterns::batchOf(value);
  return {batch, folded.h / batch, folded.w, folded.c};
}

Scale scaleOf(const patterns::RescaleParse &rescale) {
  tosa::RescaleOp op = rescale.op;
  return {int32_t(splatOf(op.getMultiplier()).value_or(0)),
          int32_t(splatOf(op.getShift()).value_or(0))};
}

bool roundsDoubly(const patterns::RescaleParse &rescale) {
  tosa::RescaleOp op = rescale.op;
  return op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
}

template <typename T> std::vector<T> narrow(const std::optional<std::vector<int64_t>> &wide) {
  std::vector<T> numbers;
  if (wide)
    numbers.assign(wide->begin(), wide->end());
  return numbers;
}

Obstacle notConstant(const std::string &what) {
  return {what, what, "computed", "constant", "make the " + what + " constant"};
}

Requantise requantiseOf(const patterns::ConvolutionParse &conv, int64_t channels) {
  tosa::RescaleOp op = conv.rescale.op;
  Requantise made;
  made.multipliers = narrow<int32_t>(patterns::perChannelOf(op.getMultiplier(), channels));
  made.shifts = narrow<int32_t>(patterns::perChannelOf(op.getShift(), channels));
  made.perChannel = op.getPerChannel();
  made.doubleRounding = roundsDoubly(conv.rescale);
  made.zeroPoint = int32_t(conv.rescale.outputZeroPoint);
  made.low = int32_t(conv.low), made.high = int32_t(conv.high);
  return made;
}

std::optional<Obstacle> obstacleOf(const patterns::ConvolutionParse &conv,
                                   const Convolution &view) {
  Operation *op = conv.convolution;
  if (!patterns::isConstant(op->getOperand(1)))
    return notConstant("weights");
  if (!patterns::isConstant(op->getOperand(2)))
    return notConstant("bias");
  if (!splatOf(op->getOperand(3)) || !splatOf(op->getOperand(4)))
    return notConstant("zero_point");
  if (view.requantise.multipliers.empty() || view.requantise.shifts.empty())
    return notConstant("scale");
  return std::nullopt;
}

void readConvolutionConstants(const patterns::ConvolutionParse &conv, Convolution &view) {
  Operation *op = conv.convolution;
  view.weights = narrow<int8_t>(constantOf(op->getOperand(1)));
  view.bias = narrow<int32_t>(patterns::perChannelOf(op->getOperand(2), view.out.c));
  if (conv.table)
    view.table = narrow<int8_t>(constantOf(conv.table));
}

Convolution viewOf(const patterns::ConvolutionParse &conv, Value result) {
  Operation *op = conv.convolution;
  Convolution view;
  view.input = tensorOf(conv.input), view.output = tensorOf(result);
  const int64_t samples = shapeOf(op->getOperand(0))[0];
  view.in = {samples, conv.inputExtents.h / samples, conv.inputExtents.w, conv.inputExtents.c};
  view.out = extentsOf(op->getResult(0));
  view.depthwise = conv.depthwise;
  view.kernel = {conv.kernel[0], conv.kernel[1]};
  view.stride = {conv.stride[0], conv.stride[1]};
  view.dilation = {conv.dilation[0], conv.dilation[1]};
  view.padding = {conv.pad[0], conv.pad[1], conv.pad[2], conv.pad[3]};
  view.channelMultiplier = conv.depthwise ? shapeOf(op->getOperand(1))[3] : 1;
  view.inputZeroPoint = int32_t(splatOf(op->getOperand(3)).value_or(0));
  view.weightZeroPoint = int32_t(splatOf(op->getOperand(4)).value_or(0));
  view.requantise = requantiseOf(conv, view.out.c);
  return view;
}

std::optional<Found> readConvolution(Operation *root, const Row &row,
                                     patterns::ConvolutionKind kind, bool withConstants) {
  auto parsed = patterns::parseConvolution(root, kind, row.fusion);
  if (!parsed)
    return std::nullopt;
  const auto &conv = std::get<patterns::ConvolutionParse>(parsed->work);
  Convolution view = viewOf(conv, parsed->result);
  Found found{parsed->operators, {conv.input}, parsed->result, obstacleOf(conv, view), {}};
  if (withConstants && !found.obstacle)
    readConvolutionConstants(conv, view);
  found.view = std::move(view);
  return found;
}

std::optional<Obstacle> obstacleOf(const patterns::SumParse &sum, Value result) {
  for (const patterns::SumSide *side : {&sum.first, &sum.second}) {
    if (patterns::isConstant(side->tensor))
      return Obstacle{"operand", "operand", "constant", "computed", "compute the operand"};
    if (shapeOf(side->tensor) != shapeOf(result))
      return Obstacle{"broadcast", "shape", "repeated", "the result's",
                      "give both operands the result's shape"};
  }
  const auto mode = [](const patterns::RescaleParse &rescale) { return roundsDoubly(rescale); };
  if (mode(sum.first.scale) != mode(sum.result) || mode(sum.second.scale) != mode(sum.result))
    return Obstacle{"rounding", "rounding", "mixed", "one of all scales", "leave it to the host"};
  for (const patterns::RescaleParse *rescale : {&sum.first.scale, &sum.second.scale, &sum.result})
    if (scaleOf(*rescale).shift == 0)
      return Obstacle{"scale", "scale", "one a channel", "one a tensor",
                      "quantise the tensor with one scale"};
  return std::nullopt;
}

std::optional<Found> readSum(Operation *root) {
  auto sum = patterns::parseSum(root);
  if (!sum)
    return std::nullopt;
  const Value result = root->getResult(0);
  Addition view;
  view.a = tensorOf(sum->first.tensor), view.b = tensorOf(sum->second.tensor);
  view.output = tensorOf(result);
  view.subtract = sum->subtract;
  view.aZeroPoint = int32_t(sum->first.zeroPoint), view.bZeroPoint = int32_t(sum->second.zeroPoint);
  view.outputZeroPoint = int32_t(sum->result.outputZeroPoint);
  view.aLeftShift = int32_t(sum->first.leftShift), view.bLeftShift = int32_t(sum->second.leftShift);
  view.aScale = scaleOf(sum->first.scale), view.bScale = scaleOf(sum->second.scale);
  view.outputScale = scaleOf(sum->result);
  view.doubleRounding = roundsDoubly(sum->result);
  view.low = int32_t(sum->low), view.high = int32_t(sum->high);
  return Found{sum->operators,
               {sum->first.tensor, sum->second.tensor},
               result,
               obstacleOf(*sum, result),
               std::move(view)};
}

std::optional<Found> readPool(std::optional<patterns::Parsed> parsed) {
  if (!parsed)
    return std::nullopt;
  const auto &pool = std::get<patterns::PoolParse>(parsed->work);
  Pooling view;
  view.input = tensorOf(pool.input), view.output = tensorOf(parsed->result);
  view.in = extentsOf(pool.input), view.out = extentsOf(parsed->result);
  view.kernel = {pool.kernel[0], pool.kernel[1]};
  view.stride = {pool.stride[0], pool.stride[1]};
  view.padding = {pool.pad[0], pool.pad[1], pool.pad[2], pool.pad[3]};
  view.average = pool.average;
  view.averageOffset = pool.unsignedOrigin ? 128 : 0;
  view.low = int32_t(pool.low), view.high = int32_t(pool.high);
  return Found{parsed->operators, {pool.input}, parsed->result, {}, std::move(view)};
}

std::optional<Found> readReshape(Operation *root) {
  auto parsed = patterns::parseReshape(root);
  if (!parsed)
    return std::nullopt;
  const Value input = root->getOperand(0);
  return Found{parsed->operators,
               {input},
               parsed->result,
               {},
               Renaming{tensorOf(input), tensorOf(parsed->result)}};
}

std::optional<Found> readSignFlip(Operation *root) {
  auto parsed = patterns::parseEdgeCast(root);
  if (!parsed)
    return std::nullopt;
  const auto &cast = std::get<patterns::EdgeCastParse>(parsed->work);
  return Found{parsed->operators,
               {cast.input},
               parsed->result,
               {},
               SignFlip{tensorOf(cast.input, cast.incoming ? Element::Uint8 : Element::Int8),
                        tensorOf(parsed->result, cast.incoming ? Element::Int8 : Element::Uint8)}};
}

} // namespace

std::vector<Row> rowsOf(const Npu &npu) {
  std::vector<Row> rows;
  for (int fusions = 2; fusions >= 0; --fusions)
    for (const Composite &composite : npu.composites)
      for (bool pad : {true, false})
        for (bool table : {true, false})
          if (pad + table == fusions && pad <= composite.fusePad && table <= composite.fuseTable)
            rows.push_back({&composite, {pad, false, table}});
  return rows;
}

std::optional<Found> readView(Operation *root, const Row &row, bool withConstants) {
  using patterns::ConvolutionKind;
  switch (row.composite->takes) {
  case Operator::Conv2d:
    return readConvolution(root, row, ConvolutionKind::Conv2d, withConstants);
  case Operator::DepthwiseConv2d:
    return readConvolution(root, row, ConvolutionKind::Depthwise, withConstants);
  case Operator::FullyConnected:
    return readConvolution(root, row, ConvolutionKind::FullyConnected, withConstants);
  case Operator::Add:
    return readSum(root);
  case Operator::AveragePool2d:
    return readPool(patterns::parseAveragePool(root));
  case Operator::MaxPool2d:
    return readPool(patterns::parseMaxPool(root));
  case Operator::Reshape:
    return readReshape(root);
  case Operator::SignFlip:
    return readSignFlip(root);
  }
  return std::nullopt;
}

std::vector<Tensor *> tensorsOf(View &view) {
  if (auto *addition = std::get_if<Addition>(&view))
    return {&addition->a, &addition->b, &addition->output};
  return std::visit(
      [](auto &work) -> std::vector<Tensor *> {
        if constexpr (requires { work.input; })
          return {&work.input, &work.output};
        return {};
      },
      view);
}

} // namespace tenon::library
