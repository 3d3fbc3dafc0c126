// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/emit/testing/CascadeGraphs.h"

namespace tenon::mortise::testing {
namespace {

void addMac(GraphMaker &maker, const Link &link, uint32_t input, uint32_t output) {
  MacLayer layer;
  layer.mode = link.kind == Link::Kind::Depthwise ? MacMode::DEPTHWISE : MacMode::CONV;
  layer.input = input, layer.output = output;
  layer.kernelH = layer.kernelW = link.kernel;
  layer.strideH = layer.strideW = link.stride;
  layer.dilationH = layer.dilationW = link.dilation;
  layer.padTop = layer.padLeft = layer.padBottom = layer.padRight = link.pad;
  maker.add(maker.finished(layer));
}

void addPool(GraphMaker &maker, const Link &link, uint32_t input, uint32_t output) {
  PoolLayer layer;
  layer.operation = link.kind == Link::Kind::MaxPool ? VecOperation::MAX : VecOperation::AVERAGE;
  layer.input = input, layer.output = output;
  layer.kernelH = layer.kernelW = link.kernel;
  layer.strideH = layer.strideW = link.stride;
  layer.padTop = layer.padLeft = layer.padBottom = layer.padRight = link.pad;
  maker.add(layer);
}

void addRescale(GraphMaker &maker, uint32_t input, uint32_t output) {
  ElementwiseLayer layer;
  layer.a = input, layer.output = output;
  layer.program = {{MicroOpcode::RESCALE, 0, MicroOption::DOUBLE, uint8_t(Source::A), 31, 1 << 30}};
  maker.add(layer);
}

} // namespace

LayerGraph chain(uint32_t seed, uint32_t h, uint32_t w, uint32_t c,
                 const std::vector<Link> &links) {
  GraphMaker maker(seed);
  uint32_t at = maker.input(h, w, c);
  for (size_t i = 0; i < links.size(); ++i) {
    const Link &link = links[i];
    if (link.kind != Link::Kind::Rescale) {
      h = outExtent(h, 2 * link.pad, link.kernel, link.stride, link.dilation);
      w = outExtent(w, 2 * link.pad, link.kernel, link.stride, link.dilation);
    }
    c = link.kind == Link::Kind::Convolution ? link.channels : c;
    const uint32_t next = i + 1 == links.size() ? maker.output(h, w, c) : maker.tensor(h, w, c);
    if (link.kind == Link::Kind::Convolution || link.kind == Link::Kind::Depthwise)
      addMac(maker, link, at, next);
    else if (link.kind == Link::Kind::Rescale)
      addRescale(maker, at, next);
    else
      addPool(maker, link, at, next);
    at = next;
  }
  return std::move(maker.graph);
}

std::vector<NamedPair> cascadePairs() {
  using enum Link::Kind;
  const Link pointwise{Convolution, 1, 1, 0, 40}, convolution{Convolution, 3, 1, 1, 24};
  return {{"convolution, convolution", {convolution, {Convolution, 3, 1, 1, 20}}},
          {"depthwise, pointwise", {{Depthwise}, pointwise}},
          {"pointwise, depthwise of stride 2", {pointwise, {Depthwise, 3, 2, 1}}},
          {"convolution, max pool", {convolution, {MaxPool, 2, 2, 0}}},
          {"convolution, overlapping average pool", {convolution, {AveragePool, 3, 2, 1}}},
          {"pool, convolution", {{MaxPool, 3, 1, 1}, convolution}},
          {"convolution, dilated convolution", {convolution, {Convolution, 3, 1, 2, 20, 2}}},
          {"stride 2, pointwise of stride 2 that leaves rows out",
           {{Convolution, 3, 2, 1, 24}, {Convolution, 1, 2, 0, 20}}},
          {"convolution of 8 channels, folded convolution",
           {{Convolution, 3, 1, 1, 8}, {Convolution, 5, 1, 2, 20}}},
          {"convolution, rescale", {convolution, {Rescale}}}};
}

Bytes withSmallerRings(Bytes commands) {
  const StreamView stream = *readStream(commands);
  const size_t base = size_t(stream.descriptors.data() - commands.data());
  for (uint32_t i = 0; i < stream.descriptorCount(); ++i) {
    Bytes changed;
    if (auto mac = stream.macDescriptor(i)) {
      for (View *view : {&mac->input, &mac->output})
        view->ringRows -= view->ringRows > 0;
      append(changed, encode(*mac));
    } else if (auto vec = stream.vecDescriptor(i)) {
      for (View *view : {&vec->a, &vec->output})
        view->ringRows -= view->ringRows > 0;
      append(changed, encode(*vec));
    }
    std::copy(changed.begin(), changed.end(),
              commands.begin() + ptrdiff_t(base + i * kDescriptorBytes));
  }
  return commands;
}

} // namespace tenon::mortise::testing
