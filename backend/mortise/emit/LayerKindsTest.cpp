// SPDX-License-Identifier: Apache-2.0
// Every kind of layer at odd sizes on machines so small that it takes many tiles.
#include <gtest/gtest.h>

#include "backend/mortise/emit/testing/TestCompile.h"

namespace tenon::mortise::testing {
namespace {

MicroOp op(MicroOpcode code, uint8_t dst, uint8_t a, uint8_t b = 0, int32_t immediate = 0,
           uint8_t option = 0) {
  return {code, dst, option, a, b, immediate};
}
constexpr uint8_t kA = uint8_t(Source::A), kB = uint8_t(Source::B);

DType edgeType(GraphMaker &maker) { return maker.below(2) ? DType::U8 : DType::I8; }

/// SRAM between 3 and 12 KB; 16 KB where a layer's smallest tile needs it.
uint32_t randomSram(GraphMaker &maker) { return 64 * uint32_t(maker.between(48, 192)); }

/// Runs \p make with many seeds; a layer that does not fit its machine gets a larger one.
template <typename Make> void runMany(uint32_t seeds, Make make) {
  for (uint32_t seed = 0; seed < seeds; ++seed) {
    GraphMaker maker(seed);
    make(maker);
    uint32_t sram = randomSram(maker);
    std::string found = runAndCompare(maker.graph, smallMachine(sram), seed);
    for (; found.find("bytes of SRAM") != std::string::npos && sram < 65536; sram *= 2)
      found = runAndCompare(maker.graph, smallMachine(sram * 2), seed);
    EXPECT_EQ(found, "") << "seed " << seed << ", " << sram << " bytes of SRAM";
  }
}

void setWindow(GraphMaker &maker, MacLayer &layer) {
  layer.kernelH = uint8_t(maker.between(1, 4)), layer.kernelW = uint8_t(maker.between(1, 4));
  layer.strideH = uint8_t(maker.between(1, 3)), layer.strideW = uint8_t(maker.between(1, 3));
  layer.dilationH = uint8_t(maker.between(1, 2)), layer.dilationW = uint8_t(maker.between(1, 2));
  // Also wider than the kernel: whole output rows of padding.
  layer.padTop = maker.below(6), layer.padBottom = maker.below(6);
  layer.padLeft = maker.below(4), layer.padRight = maker.below(4);
}

/// Adds a layer from a new input of \p channels to a new output of \p outChannels.
void addMac(GraphMaker &maker, MacLayer layer, uint32_t h, uint32_t w, uint32_t channels,
            uint32_t outChannels, bool fused) {
  layer.input = maker.input(h, w, channels, edgeType(maker));
  const uint32_t outH =
      outExtent(h, layer.padTop + layer.padBottom, layer.kernelH, layer.strideH, layer.dilationH);
  const uint32_t outW =
      outExtent(w, layer.padLeft + layer.padRight, layer.kernelW, layer.strideW, layer.dilationW);
  layer.output = maker.output(outH, outW, outChannels, edgeType(maker));
  if (fused)
    layer.eltwise = maker.eltwise(maker.input(outH, outW, outChannels));
  maker.add(maker.finished(layer));
}

TEST(LayerKinds, Convolution) {
  runMany(60, [](GraphMaker &maker) {
    MacLayer layer;
    setWindow(maker, layer);
    addMac(maker, layer, maker.between(7, 20), maker.between(7, 20), maker.between(16, 50),
           maker.between(1, 70), maker.below(2));
  });
}

TEST(LayerKinds, FirstConvolutionOfFewChannels) {
  runMany(60, [](GraphMaker &maker) {
    MacLayer layer;
    setWindow(maker, layer);
    addMac(maker, layer, maker.between(7, 40), maker.between(7, 40), maker.between(1, 15),
           maker.between(1, 40), maker.below(2));
  });
}

TEST(LayerKinds, PointwiseConvolution) {
  runMany(40, [](GraphMaker &maker) {
    addMac(maker, {}, maker.between(1, 30), maker.between(1, 30), maker.between(1, 90),
           maker.between(1, 90), maker.below(2));
  });
}

TEST(LayerKinds, DepthwiseConvolution) {
  runMany(60, [](GraphMaker &maker) {
    MacLayer layer;
    layer.mode = MacMode::DEPTHWISE;
    layer.channelMultiplier = uint8_t(maker.between(1, 3));
    setWindow(maker, layer);
    const uint32_t channels = maker.between(1, 70);
    addMac(maker, layer, maker.between(7, 24), maker.between(7, 24), channels,
           channels * layer.channelMultiplier, maker.below(2));
  });
}

TEST(LayerKinds, FullyConnected) {
  runMany(30, [](GraphMaker &maker) {
    MacLayer layer;
    layer.mode = MacMode::MATMUL;
    addMac(maker, layer, maker.between(1, 9), maker.between(1, 3), maker.between(1, 300),
           maker.between(1, 100), false);
  });
}

TEST(LayerKinds, Pooling) {
  runMany(60, [](GraphMaker &maker) {
    PoolLayer layer;
    layer.operation = maker.below(2) ? VecOperation::MAX : VecOperation::AVERAGE;
    layer.kernelH = uint8_t(maker.between(1, 5)), layer.kernelW = uint8_t(maker.between(1, 5));
    layer.strideH = uint8_t(maker.between(1, 3)), layer.strideW = uint8_t(maker.between(1, 3));
    layer.padTop = maker.below(layer.kernelH), layer.padBottom = maker.below(layer.kernelH);
    layer.padLeft = maker.below(layer.kernelW), layer.padRight = maker.below(layer.kernelW);
    layer.rounding = maker.below(2) ? PoolRounding::HALF_UP : PoolRounding::HALF_AWAY;
    layer.inputOffset = maker.between(-128, 128);
    layer.clampMin = maker.between(-200, -50), layer.clampMax = maker.between(50, 200);
    const uint32_t h = maker.between(6, 30), w = maker.between(6, 30), c = maker.between(1, 50);
    layer.input = maker.input(h, w, c);
    layer.output =
        maker.output(outExtent(h, layer.padTop + layer.padBottom, layer.kernelH, layer.strideH),
                     outExtent(w, layer.padLeft + layer.padRight, layer.kernelW, layer.strideW), c);
    maker.graph.tensors[layer.output].zeroPoint = maker.graph.tensors[layer.input].zeroPoint;
    maker.add(layer);
  });
}

TEST(LayerKinds, Reduction) {
  runMany(40, [](GraphMaker &maker) {
    ReduceLayer layer;
    layer.axes = uint8_t(maker.between(1, 7));
    layer.inputOffset = maker.between(-100, 100);
    const uint32_t h = maker.between(1, 9), w = maker.between(1, 9), c = maker.between(1, 99);
    layer.input = maker.input(h, w, c);
    layer.output = maker.output(layer.axes & Axis::H ? 1 : h, layer.axes & Axis::W ? 1 : w,
                                layer.axes & Axis::C ? 1 : c, DType::I32);
    maker.add(layer);
  });
}

TEST(LayerKinds, ElementwiseWithTableAndBroadcast) {
  runMany(60, [](GraphMaker &maker) {
    const uint32_t h = maker.between(1, 20), w = maker.between(1, 20), c = maker.between(1, 60);
    ElementwiseLayer layer;
    layer.a = maker.input(h, w, c, edgeType(maker));
    layer.b = maker.input(maker.below(2) ? h : 1, maker.below(2) ? w : 1, maker.below(2) ? c : 1);
    layer.output = maker.output(h, w, c, maker.below(3) ? edgeType(maker) : DType::I32);
    layer.immediate0 = maker.between(-50, 50);
    layer.program = {op(MicroOpcode::MUL, 0, kA, kB),
                     op(MicroOpcode::RESCALE, 0, 0, 37, 1 << 30, MicroOption::DOUBLE),
                     op(MicroOpcode::LUT8, 1, 0, 0, 0, 1),
                     op(MicroOpcode::ADD, 1, 1, uint8_t(Source::IMM0))};
    for (int i = 0; i < 512; ++i)
      layer.tables.push_back(uint8_t(maker.below(256)));
    maker.add(layer);
  });
}

TEST(LayerKinds, WholePixels) {
  runMany(30, [](GraphMaker &maker) {
    const uint32_t h = maker.between(1, 20), w = maker.between(1, 20), c = maker.between(1, 60);
    ElementwiseLayer layer;
    layer.a = maker.input(h, w, c);
    layer.output = maker.output(h, w, c, DType::I32);
    layer.wholePixels = true;
    layer.program = {op(MicroOpcode::RMAX, 0, kA), op(MicroOpcode::SUB, 0, 0, kA),
                     op(MicroOpcode::RSUM, 1, 0), op(MicroOpcode::ADD, 0, 0, 1)};
    maker.add(layer);
  });
}

TEST(LayerKinds, CopiesIntoOneTensor) {
  runMany(60, [](GraphMaker &maker) {
    const DType type = maker.below(3) ? DType::I8 : DType::I32;
    const uint32_t h = maker.between(2, 20), w = maker.between(2, 20), c = maker.between(2, 50);
    const uint32_t other = maker.between(1, 30);
    const uint32_t output = maker.output(h + 3, w + 2, c + other, type);
    CopyLayer first;
    first.input = maker.input(h + 1, w, c + 2, type);
    first.from = {1, 0, 1}, first.to = {2, 1, 0}, first.extent = {h, w, c};
    first.fillFirst = true;
    CopyLayer second;
    second.input = maker.input(h, w, other, type);
    second.to = {2, 1, c}, second.extent = {h, w, other};
    first.output = second.output = output;
    maker.add(first);
    maker.add(second);
  });
}

} // namespace
} // namespace tenon::mortise::testing
