// SPDX-License-Identifier: Apache-2.0
// The shape and the work of each kind of layer.
#include <numeric>

#include "backend/mortise/plan/LayerShape.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

/// Elements of a flat tensor are cut at whole DRAM bursts.
constexpr uint32_t kFlatStep = 64;

Dims dimsOf(const LayerTensor &tensor) { return {tensor.h, tensor.w, tensor.c}; }

uint32_t elementBytesOf(const LayerTensor &tensor) {
  return tensor.dtype == DType::I32 ? 4 : tensor.dtype == DType::I16 ? 2 : 1;
}

class Maker {
public:
  Maker(const LayerGraph &graph, Cut cut) : graph(graph), cut(cut) {}

  LayerShape operator()(const MacLayer &layer) {
    const Dims in = dims(layer.input), out = dims(layer.output);
    shape.fold = layer.mode == MacMode::CONV && in[kChannels] < 16 && layer.dilationW == 1;
    if (cut == Cut::Free && isPointwise(layer))
      flattenPixels(layer, in, out);
    else
      windows(layer, in, out);
    shape.reads[0].layout = shape.fold ? Layout::LINEAR : Layout::B16;
    if (layer.eltwise)
      shape.reads.push_back(same(layer.eltwise->operand, Layout::B16));
    const bool depthwise = layer.mode == MacMode::DEPTHWISE;
    shape.step[kChannels] = depthwise ? std::lcm(16u, uint32_t(layer.channelMultiplier)) : 16;
    shape.brickBytes = brickBytesOf(layer, in[kChannels]);
    shape.tableBytes = layer.table ? layer.table->size() : 0;
    return std::move(shape);
  }

  LayerShape operator()(const PoolLayer &layer) {
    const Dims in = dims(layer.input);
    shape.out = dims(layer.output);
    shape.output = same(layer.output, Layout::LINEAR);
    shape.reads = {
        use(layer.input,
            {window(in[0], layer.kernelH, layer.strideH, layer.padTop),
             window(in[1], layer.kernelW, layer.strideW, layer.padLeft), AxisMap::same(in[2])},
            Layout::LINEAR)};
    shape.step[kChannels] = 16;
    return std::move(shape);
  }

  LayerShape operator()(const ReduceLayer &layer) {
    const Dims in = dims(layer.input);
    shape.out = dims(layer.output);
    shape.output = same(layer.output, Layout::LINEAR);
    std::array<AxisMap, 3> axes;
    for (size_t i = 0; i < 3; ++i)
      axes[i] = layer.axes & (1u << i) ? AxisMap::whole(in[i]) : AxisMap::same(in[i]);
    shape.reads = {use(layer.input, axes, Layout::LINEAR)};
    shape.step[kChannels] = 16;
    return std::move(shape);
  }

  LayerShape operator()(const ElementwiseLayer &layer) {
    const Dims out = dims(layer.output);
    const bool flat =
        cut == Cut::Free && dims(layer.a) == out && (!layer.b || dims(*layer.b) == out);
    shape.out = !flat               ? out
                : layer.wholePixels ? Dims{1, out[0] * out[1], out[2]}
                                    : Dims{1, 1, out[0] * out[1] * out[2]};
    shape.output = same(layer.output, Layout::LINEAR);
    shape.reads = {operand(layer.a, flat)};
    if (layer.b)
      shape.reads.push_back(operand(*layer.b, flat));
    shape.step[kChannels] = layer.wholePixels ? shape.out[kChannels] : kFlatStep;
    shape.tableBytes = layer.tables.size();
    return std::move(shape);
  }

  LayerShape operator()(const CopyLayer &layer) {
    const Dims in = dims(layer.input), out = dims(layer.output);
    shape.out = layer.extent;
    std::array<AxisMap, 3> from, to;
    for (size_t i = 0; i < 3; ++i)
      from[i] = AxisMap::shifted(in[i], layer.from[i]),
      to[i] = AxisMap::shifted(out[i], layer.to[i]);
    shape.reads = {use(layer.input, from, Layout::LINEAR)};
    shape.output = use(layer.output, to, Layout::LINEAR);
    shape.runs = false;
    return std::move(shape);
  }

private:
  const LayerGraph &graph;
  const Cut cut;
  LayerShape shape;

  Dims dims(uint32_t tensor) const { return dimsOf(graph.tensors[tensor]); }

  TensorUse use(uint32_t tensor, const std::array<AxisMap, 3> &axes, Layout layout) const {
    return {tensor, elementBytesOf(graph.tensors[tensor]), layout, 0, axes};
  }
  /// A tensor that lies as the output does.
  TensorUse same(uint32_t tensor, Layout layout) const {
    return use(
        tensor,
        {AxisMap::same(shape.out[0]), AxisMap::same(shape.out[1]), AxisMap::same(shape.out[2])},
        layout);
  }
  TensorUse operand(uint32_t tensor, bool flat) const {
    TensorUse read = same(tensor, Layout::LINEAR);
    const Dims in = dims(tensor);
    for (size_t i = 0; i < 3 && !flat; ++i)
      if (in[i] != shape.out[i]) {
        read.axes[i] = AxisMap::whole(in[i]);
        read.broadcast |= uint8_t(1u << i);
      }
    return read;
  }

  static AxisMap window(uint32_t extent, uint32_t span, uint32_t stride, uint32_t pad) {
    return {AxisMap::Kind::Window, extent, span, stride, int64_t(pad)};
  }

  static bool isPointwise(const MacLayer &layer) {
    return layer.kernelH == 1 && layer.kernelW == 1 && layer.strideH == 1 && layer.strideW == 1 &&
           !layer.padTop && !layer.padLeft && !layer.padBottom && !layer.padRight;
  }

  static AxisMap channelsOf(const MacLayer &layer, uint32_t channels) {
    if (layer.mode != MacMode::DEPTHWISE)
      return AxisMap::whole(channels);
    return {AxisMap::Kind::Divided, channels, 1, 1, 0, layer.channelMultiplier};
  }

  /// Without a window rows and columns are one: pixels in a row, cut anywhere.
  void flattenPixels(const MacLayer &layer, const Dims &in, const Dims &out) {
    shape.out = {1, out[0] * out[1], out[2]};
    shape.output = same(layer.output, Layout::B16);
    shape.reads = {use(layer.input,
                       {AxisMap::same(1), AxisMap::same(in[0] * in[1]), channelsOf(layer, in[2])},
                       Layout::B16)};
  }

  void windows(const MacLayer &layer, const Dims &in, const Dims &out) {
    shape.out = out;
    shape.output = same(layer.output, Layout::B16);
    const uint32_t spanH = (layer.kernelH - 1) * layer.dilationH + 1;
    const uint32_t spanW = (layer.kernelW - 1) * layer.dilationW + 1;
    shape.reads = {
        use(layer.input,
            {window(in[0], spanH, layer.strideH, layer.padTop),
             window(in[1], spanW, layer.strideW, layer.padLeft), channelsOf(layer, in[2])},
            Layout::B16)};
  }

  uint64_t brickBytesOf(const MacLayer &layer, uint32_t inChannels) const {
    const uint64_t rows = layer.kernelH, columns = layer.kernelW;
    if (layer.mode == MacMode::DEPTHWISE)
      return rows * columns * 16;
    return shape.fold ? rows * ceilDiv<uint64_t>(columns * inChannels, 16) * 256
                      : rows * columns * ceilDiv<uint64_t>(inChannels, 16) * 256;
  }
};

uint64_t countOf(const Dims &dims) { return uint64_t(dims[0]) * dims[1] * dims[2]; }

timing::Work macWork(const Config &config, const MacLayer &layer, const LayerShape &shape,
                     const Dims &tile) {
  MacShape mac{layer.mode,    shape.fold,    tile[kRows],   tile[kColumns], tile[kChannels],
               layer.kernelH, layer.kernelW, layer.strideW, layer.dilationW};
  mac.inC = shape.reads[0].axes[kChannels].extent;
  mac.outputBytes = shape.output.elementBytes;
  mac.operandBytes = shape.reads.size() > 1 ? shape.reads[1].elementBytes : 0;
  return workOf(config, mac);
}

timing::Work vecWork(const Config &config, const Layer &layer, const LayerShape &shape,
                     const Dims &tile) {
  VecShape vec;
  const uint64_t written = countOf(tile);
  const uint64_t read = countOf(shape.reads[0].largestPart(tile));
  const bool reduces = std::holds_alternative<ReduceLayer>(layer.work);
  vec.elements = reduces ? std::max(read, written) : written;
  vec.elementBytes = shape.output.elementBytes;
  vec.sramBytes = written * shape.output.elementBytes;
  if (const auto *pool = std::get_if<PoolLayer>(&layer.work))
    vec.taps = uint32_t(pool->kernelH) * pool->kernelW;
  if (const auto *program = std::get_if<ElementwiseLayer>(&layer.work))
    vec.microOps = uint32_t(program->program.size());
  for (const TensorUse &use : shape.reads) {
    vec.elementBytes = std::max(vec.elementBytes, use.elementBytes);
    vec.sramBytes += vec.elements * vec.taps * use.elementBytes;
  }
  return workOf(config, vec);
}

} // namespace

LayerShape shapeOf(const LayerGraph &graph, const Layer &layer, Cut cut) {
  return std::visit(Maker(graph, cut), layer.work);
}

timing::Work workOfTile(const Config &config, const Layer &layer, const LayerShape &shape,
                        const Dims &tile) {
  if (!shape.runs)
    return {};
  if (const auto *mac = std::get_if<MacLayer>(&layer.work))
    return macWork(config, *mac, shape, tile);
  return vecWork(config, layer, shape, tile);
}

} // namespace tenon::mortise
