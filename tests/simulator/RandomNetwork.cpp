// SPDX-License-Identifier: Apache-2.0
// Each maker adds one layer behind the tensor the chain has come to.
#include "tests/simulator/RandomNetwork.h"

#include <functional>

namespace tenon::tests {
namespace {

using namespace mortise;
using mortise::testing::GraphMaker;
using mortise::testing::outExtent;

constexpr uint8_t kA = uint8_t(Source::A), kB = uint8_t(Source::B);

class Chain {
public:
  explicit Chain(uint32_t seed) : maker(seed) {
    last = maker.input(maker.between(5, 18), maker.between(5, 18), maker.between(1, 40),
                       maker.below(3) ? DType::I8 : DType::U8);
  }

  LayerGraph make() {
    for (uint32_t left = maker.between(2, 5); left > 0; --left) {
      ends = left == 1;
      addOne();
    }
    return std::move(maker.graph);
  }

private:
  GraphMaker maker;
  uint32_t last = 0;
  bool ends = false; ///< the layer in the making is the last one

  const LayerTensor &at(uint32_t tensor) const { return maker.graph.tensors[tensor]; }

  uint32_t next(uint32_t h, uint32_t w, uint32_t c, DType type = DType::I8) {
    if (!ends)
      return maker.tensor(h, w, c, type);
    return maker.output(h, w, c, type == DType::I8 && maker.below(3) == 0 ? DType::U8 : type);
  }

  void addOne() {
    const LayerTensor in = at(last);
    switch (maker.below(8)) {
    case 0:
    case 1:
      return convolution();
    case 2:
      return depthwise();
    case 3:
      return matmul();
    case 4:
      // Pools read raw values, so both sides need one zero point and type.
      return in.dtype == DType::I8 ? pool() : convolution();
    case 5:
      return mean();
    case 6:
      return elementwise();
    default:
      return in.dtype == DType::I8 && !ends ? copy() : elementwise();
    }
  }

  template <typename L> void window(L &layer) {
    const LayerTensor &in = at(last);
    const auto kernel = [&](uint32_t extent) {
      return uint8_t(maker.between(1, int32_t(std::min(extent, 4u))));
    };
    layer.kernelH = kernel(in.h), layer.kernelW = kernel(in.w);
    layer.strideH = uint8_t(maker.between(1, 2)), layer.strideW = uint8_t(maker.between(1, 2));
    layer.padTop = maker.below(layer.kernelH), layer.padBottom = maker.below(layer.kernelH);
    layer.padLeft = maker.below(layer.kernelW), layer.padRight = maker.below(layer.kernelW);
  }

  template <typename L>
  uint32_t windowOutput(const L &layer, uint32_t channels, uint32_t dilation) {
    const LayerTensor in = at(last);
    return next(
        outExtent(in.h, layer.padTop + layer.padBottom, layer.kernelH, layer.strideH, dilation),
        outExtent(in.w, layer.padLeft + layer.padRight, layer.kernelW, layer.strideW, dilation),
        channels);
  }

  void finish(MacLayer layer) {
    const LayerTensor out = at(layer.output);
    if (maker.below(3) == 0)
      layer.eltwise = maker.eltwise(maker.input(out.h, out.w, out.c));
    last = layer.output;
    maker.add(maker.finished(std::move(layer)));
  }

  void dilate(MacLayer &layer) {
    const LayerTensor &in = at(last);
    if (in.h > 8 && in.w > 8)
      layer.dilationH = layer.dilationW = uint8_t(maker.between(1, 2));
  }

  void convolution() {
    MacLayer layer;
    window(layer), dilate(layer);
    layer.input = last;
    layer.output = windowOutput(layer, maker.between(1, 45), layer.dilationH);
    finish(std::move(layer));
  }

  void depthwise() {
    MacLayer layer;
    layer.mode = MacMode::DEPTHWISE;
    layer.channelMultiplier = uint8_t(maker.below(3) ? 1 : 2);
    window(layer), dilate(layer);
    layer.input = last;
    layer.output = windowOutput(layer, at(last).c * layer.channelMultiplier, layer.dilationH);
    finish(std::move(layer));
  }

  void matmul() {
    MacLayer layer;
    layer.mode = MacMode::MATMUL;
    layer.input = last;
    layer.output = next(at(last).h, at(last).w, maker.between(1, 60));
    finish(std::move(layer));
  }

  void pool() {
    PoolLayer layer;
    layer.operation = maker.below(2) ? VecOperation::MAX : VecOperation::AVERAGE;
    layer.rounding = maker.below(2) ? PoolRounding::HALF_UP : PoolRounding::HALF_AWAY;
    layer.inputOffset = maker.between(-128, 128);
    window(layer);
    layer.input = last;
    layer.output = windowOutput(layer, at(last).c, 1);
    maker.graph.tensors[layer.output].zeroPoint = at(last).zeroPoint;
    last = layer.output;
    maker.add(layer);
  }

  /// A sum over pixels and its rescaling.
  void mean() {
    const LayerTensor in = at(last);
    ReduceLayer layer;
    layer.axes = uint8_t(maker.between(1, 7));
    layer.inputOffset = maker.between(-50, 50);
    layer.input = last;
    layer.output = last =
        maker.tensor(layer.axes & Axis::H ? 1 : in.h, layer.axes & Axis::W ? 1 : in.w,
                     layer.axes & Axis::C ? 1 : in.c, DType::I32);
    maker.add(layer);
    ElementwiseLayer rescale;
    rescale.a = last;
    rescale.output = last = next(at(last).h, at(last).w, at(last).c);
    rescale.program = {{MicroOpcode::RESCALE, 0, MicroOption::DOUBLE, kA, 36, 1 << 30}};
    maker.add(rescale);
  }

  void elementwise() {
    const LayerTensor in = at(last);
    ElementwiseLayer layer;
    layer.a = last;
    layer.b = maker.input(maker.below(2) ? in.h : 1, maker.below(2) ? in.w : 1,
                          maker.below(2) ? in.c : 1);
    layer.output = last = next(in.h, in.w, in.c);
    layer.immediate0 = maker.between(-50, 50);
    layer.program = {{MicroOpcode::MUL, 0, 0, kA, kB, 0},
                     {MicroOpcode::RESCALE, 0, MicroOption::DOUBLE, 0, 37, 1 << 30},
                     {MicroOpcode::LUT8, 1, 1, 0, 0, 0},
                     {MicroOpcode::SUB, 1, 0, 1, uint8_t(Source::IMM0), 0}};
    for (int i = 0; i < 512; ++i)
      layer.tables.push_back(uint8_t(maker.below(256)));
    maker.add(layer);
  }

  /// A border of zero points around a part.
  void copy() {
    const LayerTensor in = at(last);
    CopyLayer layer;
    layer.input = last;
    layer.from = {in.h > 1, 0, in.c > 1};
    layer.extent = {in.h - layer.from[0], in.w, in.c - layer.from[2]};
    layer.to = {maker.below(3), maker.below(3), maker.below(20)};
    layer.fillFirst = true;
    layer.output = last = maker.tensor(layer.to[0] + layer.extent[0] + maker.below(2),
                                       layer.to[1] + layer.extent[1] + maker.below(2),
                                       layer.to[2] + layer.extent[2] + maker.below(20));
    maker.add(layer);
  }
};

} // namespace

LayerGraph randomNetwork(uint32_t seed) { return Chain(seed).make(); }

} // namespace tenon::tests
