// SPDX-License-Identifier: Apache-2.0
// Closed forms worked out by hand from the manual, on medium: P 4, K 16, C 16, WD 32, O 32, V 16,
// A 16, D 4, L 100, 12 bytes a cycle.
#include "hardware/mortise/Timing.h"

#include <gtest/gtest.h>

namespace tenon::mortise {
namespace {

Config medium() { return *loadConfig("medium"); }

TEST(CommandCost, Convolution) {
  MacShape shape;
  shape.outH = 8, shape.outW = 30, shape.outC = 40;
  shape.kernelH = shape.kernelW = 3, shape.inC = 20;
  // g = 8 * 8 = 64, four blocks of 16; S = 9 * 2 = 18; three channel groups.
  // max(18 * max(16, 8), ceil(16 * 64 / 32) = 32) = 288.
  EXPECT_EQ(workOf(medium(), shape).cycles, 4u * 3 * 288 + 20);
  EXPECT_EQ(workOf(medium(), shape).macs, 8u * 30 * 40 * 9 * 20);
}

TEST(CommandCost, BlocksAreSplitEvenly) {
  MacShape shape;
  shape.outH = 1, shape.outW = 4 * 17, shape.outC = 16, shape.inC = 16 * 9;
  // g = 17: blocks of 9 and 8; S = 9; the weights need 8 cycles a step.
  EXPECT_EQ(workOf(medium(), shape).cycles, 9u * 9 + 9 * 8 + 20);
}

TEST(CommandCost, OneByOneWithFewChannelsIsBoundByTheStore) {
  MacShape shape;
  shape.outH = 4, shape.outW = 16, shape.outC = 16, shape.inC = 16;
  // g = 16, S = 1: max(16, 32).
  EXPECT_EQ(workOf(medium(), shape).cycles, 32u + 20);
}

TEST(CommandCost, FoldContractsKernelColumnsAndChannels) {
  MacShape shape;
  shape.fold = true;
  shape.outH = 4, shape.outW = 16, shape.outC = 16;
  shape.kernelH = shape.kernelW = 3, shape.inC = 3;
  // S = 3 * ceil(9 / 16) = 3: max(3 * 16, 32).
  EXPECT_EQ(workOf(medium(), shape).cycles, 48u + 20);
}

TEST(CommandCost, Depthwise) {
  MacShape shape;
  shape.mode = MacMode::DEPTHWISE;
  shape.outH = 4, shape.outW = 16, shape.outC = 32, shape.kernelH = shape.kernelW = 3;
  // g = 16: max(ceil(9 / 4) * 16, ceil(16 * 9 / 32), 32) = 48, two channel groups.
  EXPECT_EQ(workOf(medium(), shape).cycles, 2u * 48 + 20);
}

TEST(CommandCost, FullyConnectedIsBoundByWeights) {
  MacShape shape;
  shape.mode = MacMode::MATMUL;
  shape.outC = 1000, shape.inC = 1280;
  // g = 1, S = 80, ceil(256 / 32) = 8 a step, 63 channel groups.
  EXPECT_EQ(workOf(medium(), shape).cycles, 63u * 80 * 8 + 20);
}

TEST(CommandCost, Vector) {
  VecShape shape;
  shape.elements = 100, shape.microOps = 5;
  EXPECT_EQ(workOf(medium(), shape).cycles, 16u + 7 * 2);
  shape.microOps = 1, shape.taps = 9;
  EXPECT_EQ(workOf(medium(), shape).cycles, 16u + 7 * 9);
}

TEST(CommandCost, TransferCountsBurstsOfEachRun) {
  // Ten items of 16 bytes, 100 apart, from offset 60: one of two bursts wherever it crosses.
  DmaShape shape{.offset = 60, .n0 = 16, .n1 = 10, .stride1 = 100};
  uint64_t bursts = 0;
  for (uint64_t i = 0; i < 10; ++i)
    bursts += (60 + 100 * i + 15) / 64 - (60 + 100 * i) / 64 + 1;
  EXPECT_EQ(workOf(medium(), shape).dramBytes, 64 * bursts);
  EXPECT_EQ(workOf(medium(), shape).dramRead, 160u);
}

TEST(CommandCost, ContiguousItemsAreOneRun) {
  DmaShape shape{.offset = 0, .n0 = 3, .n1 = 224, .n2 = 8, .stride1 = 3, .stride2 = 672};
  EXPECT_EQ(workOf(medium(), shape).dramBytes, 64u * 84); // 5376 / 64
  EXPECT_EQ(cyclesAlone(medium(), workOf(medium(), shape)), 100u + 448);
}

TEST(TimedStream, CountsWaitsAndLayers) {
  StreamBuilder builder;
  const uint16_t descriptor = builder.addDescriptor(MacDescriptor{});
  const uint64_t loaded = builder.add(Opcode::DMA_COPY, Engine::LD, Dma{.n0 = 1200}, 5);
  builder.add(Opcode::MAC_RUN, Engine::MAC, MacRun{.descriptor = descriptor}, 9,
              Waits().on(Engine::LD, loaded));
  builder.add(Opcode::END, Engine::CP, End{}, 9);
  const Bytes bytes = builder.finish(medium());
  const auto timed = timedStream(*readStream(bytes), medium());
  ASSERT_TRUE(timed);
  ASSERT_EQ(timed->commands.size(), 3u);
  EXPECT_EQ(timed->layerTags, (std::vector<uint16_t>{5, 9}));
  EXPECT_EQ(timed->commands[1].waits[0], 1u);
  EXPECT_TRUE(timed->commands[2].barrier);
  // Dispatch 8, latency 100, 19 bursts at 12 bytes a cycle; then one output pixel: S = 1, 8 cycles
  // for weights, + 20.
  const auto timeline = timing::simulate(machineOf(medium()), timed->commands);
  EXPECT_EQ(timeline.cycles, 8u + 100 + 102 + 28);
}

TEST(TimedStream, RefusesAForwardWait) {
  StreamBuilder builder;
  builder.add(Opcode::DMA_COPY, Engine::LD, Dma{.n0 = 64}, 1);
  builder.add(Opcode::END, Engine::CP, End{}, 1);
  Bytes bytes = builder.finish(medium());
  bytes[readStream(bytes)->commands.data() - bytes.data() + 4] = 7; // wait on LD
  const auto timed = timedStream(*readStream(bytes), medium());
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().code, FaultCode::WAIT_FORWARD);
}

} // namespace
} // namespace tenon::mortise
