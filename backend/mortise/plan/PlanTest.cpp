// SPDX-License-Identifier: Apache-2.0
// Parts of operands by hand, and tilings held against what they promise.
#include "backend/mortise/plan/Plan.h"

#include <gtest/gtest.h>

namespace tenon::mortise {
namespace {

AxisMap window(uint32_t extent, uint32_t span, uint32_t stride, int64_t pad) {
  return {AxisMap::Kind::Window, extent, span, stride, pad};
}

LayerTensor tensor(uint32_t h, uint32_t w, uint32_t c) {
  LayerTensor made;
  made.h = h, made.w = w, made.c = c;
  return made;
}

void expectPart(const AxisPart &part, Range range, uint32_t before, uint32_t after) {
  EXPECT_EQ(part.range, range);
  EXPECT_EQ(part.padBefore, before);
  EXPECT_EQ(part.padAfter, after);
}

TEST(Geometry, WindowsReachIntoPaddingAtTheBordersOnly) {
  const AxisMap rows = window(10, 3, 2, 1); // outputs 0 to 4 read -1 to 9
  expectPart(rows.partOf({0, 2}), {0, 4}, 1, 0);
  expectPart(rows.partOf({2, 1}), {3, 3}, 0, 0);
  expectPart(rows.partOf({4, 1}), {7, 3}, 0, 0);
  expectPart(window(9, 3, 2, 1).partOf({4, 1}), {7, 2}, 0, 1);
  EXPECT_EQ(rows.largestPart(2), 5u);
}

TEST(Geometry, WindowsWhollyInThePaddingReadNothing) {
  const AxisMap rows = window(4, 1, 1, 3); // outputs 0 to 2 and 7 on lie outside
  expectPart(rows.partOf({0, 2}), {0, 1}, 2, 0);
  expectPart(rows.partOf({8, 2}), {3, 1}, 2, 0);
}

TEST(Geometry, OtherDimensions) {
  expectPart(AxisMap::whole(7).partOf({3, 1}), {0, 7}, 0, 0);
  expectPart(AxisMap::shifted(9, 4).partOf({1, 3}), {5, 3}, 0, 0);
  const AxisMap divided{AxisMap::Kind::Divided, 20, 1, 1, 0, 3};
  expectPart(divided.partOf({48, 12}), {16, 4}, 0, 0);
}

TEST(FindTiling, BuffersOfTheBestFitAndCoverTheOutput) {
  LayerGraph graph;
  graph.tensors = {tensor(56, 56, 64), tensor(56, 56, 128)};
  MacLayer mac;
  mac.output = 1;
  mac.kernelH = mac.kernelW = 3;
  mac.padTop = mac.padLeft = mac.padBottom = mac.padRight = 1;
  Layer layer;
  layer.work = mac;
  for (const char *name : {"tiny", "small", "medium", "large"}) {
    const Config config = *loadConfig(name);
    const LayerShape shape = shapeOf(graph, layer);
    auto tiling = findTiling(config, layer, shape);
    ASSERT_TRUE(tiling) << name;
    uint64_t bytes = 0;
    for (const Buffer &buffer : buffersOf(shape, *tiling))
      bytes += buffer.bytes * buffer.copies;
    EXPECT_LE(bytes, config.sramBytes);
    EXPECT_EQ(tiling->tile[kChannels] % 16, 0u);
    for (size_t axis = 0; axis < 3; ++axis)
      EXPECT_GE(countsOf(shape, *tiling)[axis] * tiling->tile[axis], shape.out[axis]);
  }
}

TEST(FindTiling, LayersWithoutAWindowAreFlat) {
  LayerGraph graph;
  graph.tensors = {tensor(7, 7, 64), tensor(7, 7, 32)};
  MacLayer mac;
  mac.output = 1;
  Layer layer;
  layer.work = mac;
  EXPECT_EQ(shapeOf(graph, layer).out, (Dims{1, 49, 32}));
  ElementwiseLayer program;
  program.output = 1, program.a = 1;
  layer.work = program;
  EXPECT_EQ(shapeOf(graph, layer).out, (Dims{1, 1, 7 * 7 * 32}));
}

} // namespace
} // namespace tenon::mortise
