// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/emit/testing/RandomGraph.h"

namespace tenon::mortise::testing {

uint32_t GraphMaker::tensor(uint32_t h, uint32_t w, uint32_t c, DType dtype, Home home) {
  LayerTensor made;
  made.name = "t" + std::to_string(graph.tensors.size());
  made.h = h, made.w = w, made.c = c;
  made.dtype = dtype, made.home = home;
  made.zeroPoint = dtype == DType::I32 ? 0 : between(-20, 20) + (dtype == DType::U8 ? 128 : 0);
  if (home != Home::Scratch) {
    auto &bytes = home == Home::Input ? graph.inputBytes : graph.outputBytes;
    made.edge = uint32_t(bytes.size());
    bytes.push_back(made.sizeBytes());
  }
  graph.tensors.push_back(made);
  return uint32_t(graph.tensors.size() - 1);
}

uint32_t GraphMaker::alias(uint32_t of, uint32_t h, uint32_t w, uint32_t c) {
  LayerTensor other = graph.tensors[of];
  other.aliasOf = other.aliasOf.value_or(of);
  other.h = h, other.w = w, other.c = c;
  graph.tensors.push_back(other);
  return uint32_t(graph.tensors.size() - 1);
}

MacLayer GraphMaker::finished(MacLayer layer) {
  const LayerTensor &in = graph.tensors[layer.input], &out = graph.tensors[layer.output];
  const bool depthwise = layer.mode == MacMode::DEPTHWISE;
  const uint32_t taps = uint32_t(layer.kernelH) * layer.kernelW;
  for (uint32_t i = 0; i < taps * out.c * (depthwise ? 1 : in.c); ++i)
    layer.weights.push_back(int8_t(between(-127, 127)));
  layer.weightZeroPoint = below(2) ? int16_t(between(-10, 10)) : int16_t(0);
  for (uint32_t o = 0; o < out.c; ++o) {
    layer.bias.push_back(between(-20000, 20000));
    layer.scales.push_back({between(1 << 30, INT32_MAX - 1), uint8_t(between(37, 42))});
  }
  layer.rounding = below(2) ? Rounding::DOUBLE : Rounding::SINGLE;
  const int32_t flip = out.dtype == DType::U8 && !layer.eltwise ? 128 : 0;
  layer.zeroPointA = layer.eltwise ? between(-10, 10) : out.zeroPoint;
  layer.clampAMin = between(-128, -60) + flip, layer.clampAMax = between(60, 127) + flip;
  if (below(2)) {
    const int32_t up = out.dtype == DType::U8 ? 128 : 0;
    layer.clampBMin = between(-120, -80) + up, layer.clampBMax = between(80, 120) + up;
  }
  if (below(3) == 0) {
    layer.table.emplace();
    for (int8_t &entry : *layer.table)
      entry = int8_t(between(-128, 127));
  }
  return layer;
}

FusedEltwise GraphMaker::eltwise(uint32_t operand) {
  FusedEltwise fused;
  const Eltwise all[] = {Eltwise::ADD, Eltwise::SUB, Eltwise::RSUB};
  fused.op = all[below(3)];
  fused.operand = operand;
  fused.inputLeftShift = uint8_t(between(10, 20));
  fused.main = {between(1 << 30, INT32_MAX - 1), 31};
  fused.operandScale = {between(1 << 30, INT32_MAX - 1), uint8_t(between(31, 33))};
  fused.result = {between(1 << 30, INT32_MAX - 1), uint8_t(between(45, 50))};
  return fused;
}

MacLayer convolution(uint32_t input, uint32_t output, uint8_t kernel, uint8_t stride,
                     uint32_t pad) {
  MacLayer layer;
  layer.input = input, layer.output = output;
  layer.kernelH = layer.kernelW = kernel;
  layer.strideH = layer.strideW = stride;
  layer.padTop = layer.padLeft = layer.padBottom = layer.padRight = pad;
  return layer;
}

LayerGraph residualNetwork(uint32_t seed) {
  GraphMaker maker(seed);
  const uint32_t image = maker.input(23, 23, 3, DType::U8), first = maker.tensor(12, 12, 24);
  const uint32_t wide = maker.tensor(12, 12, 40), deep = maker.tensor(12, 12, 40);
  const uint32_t sum = maker.tensor(12, 12, 24), mean = maker.tensor(1, 1, 24, DType::I32);
  const uint32_t scaled = maker.tensor(1, 1, 24), rows = maker.alias(scaled, 1, 2, 12);
  const uint32_t result = maker.output(1, 2, 10, DType::U8);
  maker.add(maker.finished(convolution(image, first, 3, 2, 1)));
  maker.add(maker.finished(convolution(first, wide, 1, 1, 0)));
  MacLayer depthwise = convolution(wide, deep, 3, 1, 1);
  depthwise.mode = MacMode::DEPTHWISE;
  maker.add(maker.finished(depthwise));
  MacLayer narrow = convolution(deep, sum, 1, 1, 0);
  narrow.eltwise = maker.eltwise(first);
  maker.add(maker.finished(narrow));
  ReduceLayer reduce;
  reduce.input = sum, reduce.output = mean, reduce.axes = Axis::H | Axis::W;
  maker.add(reduce);
  ElementwiseLayer rescale;
  rescale.a = mean, rescale.output = scaled;
  rescale.program = {
      {MicroOpcode::RESCALE, 0, MicroOption::DOUBLE, uint8_t(Source::A), 37, 1 << 30}};
  maker.add(rescale);
  MacLayer full = convolution(rows, result, 1, 1, 0);
  full.mode = MacMode::MATMUL;
  maker.add(maker.finished(full));
  return maker.graph;
}

} // namespace tenon::mortise::testing
