// SPDX-License-Identifier: Apache-2.0
// Two layers, and more, that hand rows on through a ring: bits, traffic, waits, refusals.
#include <gtest/gtest.h>

#include "backend/mortise/emit/testing/CascadeGraphs.h"
#include "backend/mortise/emit/testing/TestCompile.h"
#include "hardware/mortise/Timing.h"

namespace tenon::mortise::testing {
namespace {

using enum Link::Kind;

const CompileOptions kBoth{{{0, 1}}};

TEST(Cascade, BitsAreTheLayersOwnOnEveryMachine) {
  for (const NamedPair &pair : cascadePairs())
    for (uint32_t seed = 0; seed < 3; ++seed) {
      const LayerGraph graph = chain(seed, 19 + seed, 17 - seed, 20, pair.links);
      for (const char *name : {"tiny", "medium", "large"})
        EXPECT_EQ(runAndCompare(graph, *loadConfig(name), seed, kBoth), "") << pair.name << name;
      for (uint32_t sram : {24832u, 32768u})
        EXPECT_EQ(runAndCompare(graph, smallMachine(sram), seed, kBoth), "") << pair.name << sram;
    }
}

TEST(Cascade, LayersAfterTheOthersToo) {
  const std::vector<Link> links = {
      {Convolution, 3, 1, 1, 24}, {Depthwise}, {Convolution, 1, 1, 0}, {MaxPool, 2, 2, 0}};
  const LayerGraph graph = chain(1, 20, 20, 3, links);
  for (const Cascade &cascade : {Cascade{1, 2}, Cascade{2, 3}, Cascade{0, 2}, Cascade{0, 3}})
    for (const char *name : {"tiny", "medium"})
      EXPECT_EQ(runAndCompare(graph, *loadConfig(name), 1, {{cascade}}), "")
          << cascade.first << " to " << cascade.last;
  EXPECT_EQ(runAndCompare(graph, *loadConfig("tiny"), 1, {{{2, 3}, {0, 1}}}), "");
}

uint64_t dramBytesOf(const EmittedPartition &partition, const Config &config) {
  auto timed = timedStream(*readStream(partition.commands), config);
  const auto timeline = timing::simulate(machineOf(config), timed->commands);
  return timeline.dramRead + timeline.dramWritten;
}

TEST(Cascade, WhatIsBetweenNeverSeesDram) {
  const LayerGraph graph =
      chain(1, 64, 64, 32, {{Convolution, 3, 1, 1, 32}, {Convolution, 3, 1, 1, 32}});
  const uint64_t tensor = 64 * 64 * 32;
  for (const char *name : {"tiny", "small", "medium"}) {
    const Config config = *loadConfig(name);
    auto apart = compileLayers(graph, config), together = compileLayers(graph, config, kBoth);
    ASSERT_TRUE(apart && together) << name;
    EXPECT_EQ(apart->scratchBytes, tensor);
    EXPECT_EQ(together->scratchBytes, 0u);
    // Input once, output once, weights and channel tables once.
    EXPECT_EQ(dramBytesOf(*together, config), 2 * tensor + 2 * (9 * 32 * 32 + 32 * 16)) << name;
    EXPECT_GE(dramBytesOf(*apart, config), 2 * tensor + dramBytesOf(*together, config)) << name;
  }
}

uint64_t sramPeakOf(const LayerGraph &graph, const Config &config,
                    std::span<const Cascade> cascades) {
  auto plan = makePlan(graph, config, cascades);
  uint64_t peak = 0;
  for (const Segment &segment : plan->segments) {
    uint64_t bytes = 0;
    for (uint32_t layer : segment.layers)
      bytes += bytesOf(plan->layers[layer].buffers);
    peak = std::max(peak, bytes);
  }
  return peak;
}

TEST(Cascade, ASegmentTakesLessSramThanTheTensorThatItKeepsOutOfDram) {
  const LayerGraph graph =
      chain(1, 64, 64, 32, {{Convolution, 3, 1, 1, 32}, {Convolution, 3, 1, 1, 32}});
  for (const char *name : {"tiny", "small", "medium", "large"})
    EXPECT_LT(sramPeakOf(graph, *loadConfig(name), kBoth.cascades), 64u * 64 * 32) << name;
  // Apart, the planner takes larger tiles here. Where it takes small ones, two layers' weights can
  // be more than it needs.
  for (const char *name : {"small", "large"})
    EXPECT_LT(sramPeakOf(graph, *loadConfig(name), kBoth.cascades),
              sramPeakOf(graph, *loadConfig(name), {}))
        << name;
}

/// A partition of convolution and pooling: two engines share the ring.
LayerGraph twoEngines() {
  return chain(3, 24, 16, 16, {{Convolution, 3, 1, 1, 16}, {MaxPool, 3, 1, 1}});
}

TEST(Cascade, EveryWaitIsNeeded) {
  const LayerGraph graph = twoEngines();
  const Config config = smallMachine(12288);
  auto partition = compileLayers(graph, config, kBoth);
  ASSERT_TRUE(partition) << partition.error().message;
  const size_t base =
      size_t(readStream(partition->commands)->commands.data() - partition->commands.data());
  uint32_t tried = 0;
  for (size_t at = base; at < base + readStream(partition->commands)->commands.size(); at += 2) {
    const size_t inCommand = (at - base) % kCommandBytes;
    if (inCommand < 4 || inCommand >= 14 ||
        (!partition->commands[at] && !partition->commands[at + 1]))
      continue;
    Bytes without = partition->commands;
    without[at] = without[at + 1] = 0;
    Job job = jobOf(graph, *partition, 1);
    EXPECT_EQ(interpret(without, config, job).code, FaultCode::HAZARD) << "byte " << at;
    ++tried;
  }
  EXPECT_GT(tried, 20u);
}

TEST(Cascade, ARingOfOneRowLessIsARace) {
  const LayerGraph graph = twoEngines();
  const Config config = smallMachine(12288);
  auto partition = compileLayers(graph, config, kBoth);
  ASSERT_TRUE(partition) << partition.error().message;
  Job job = jobOf(graph, *partition, 1);
  EXPECT_EQ(interpret(partition->commands, config, job).code, FaultCode::NONE);
  EXPECT_EQ(interpret(withSmallerRings(partition->commands), config, job).code, FaultCode::HAZARD);
}

TEST(Cascade, OnOneEngineARingOfOneRowLessGivesOtherBits) {
  const LayerGraph graph =
      chain(3, 24, 16, 16, {{Convolution, 1, 1, 0, 16}, {Convolution, 3, 1, 1, 16}});
  const Config config = smallMachine(16384);
  auto partition = compileLayers(graph, config, kBoth);
  ASSERT_TRUE(partition) << partition.error().message;
  Job job = jobOf(graph, *partition, 1);
  ASSERT_EQ(interpret(withSmallerRings(partition->commands), config, job).code, FaultCode::NONE);
  EXPECT_NE(compareOutputs(graph, job), "");
}

std::string refusalOf(const LayerGraph &graph, const Config &config,
                      const CompileOptions &options) {
  auto partition = compileLayers(graph, config, options);
  return partition ? "" : partition.error().message;
}

TEST(Cascade, WhatCannotBeIsRefused) {
  const LayerGraph graph = chain(1, 16, 16, 64, {{}, {Convolution, 3, 1, 1, 64}, {MaxPool}});
  const Config tiny = *loadConfig("tiny");
  EXPECT_EQ(refusalOf(graph, tiny, {{{1, 3}}}),
            "a cascade of layers 1 to 3 has no two layers in order; there are 3");
  EXPECT_EQ(refusalOf(graph, tiny, {{{0, 1}, {1, 2}}}),
            "two cascades hold the same layer; leave one of them out");
  auto small = compileLayers(graph, smallMachine(16384), kBoth);
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().limit, 16384u);
  // 64*16 and 16*64 channels of 9 taps, and channel tables.
  EXPECT_EQ(small.error().message,
            fmt::format("the smallest stripe of the cascade of layers 0 to 1 needs {} bytes of "
                        "SRAM, {} of them for weights, 16384 are there; leave the cascade out",
                        small.error().value, 9 * 16 * 64 * 2 + 80 * 16));
}

TEST(Cascade, WhatOthersReadIsRefused) {
  GraphMaker maker(1);
  const uint32_t in = maker.input(8, 8, 16), between = maker.tensor(8, 8, 16);
  const uint32_t out = maker.output(8, 8, 16), other = maker.output(1, 8, 16, DType::I32);
  ElementwiseLayer copy;
  copy.program = {{MicroOpcode::MOV, 0, 0, uint8_t(Source::A), 0, 0}};
  copy.a = in, copy.output = between;
  maker.add(copy);
  copy.a = between, copy.output = out;
  maker.add(copy);
  ReduceLayer reduce;
  reduce.input = between, reduce.output = other, reduce.axes = Axis::H;
  maker.add(reduce);
  const Config config = *loadConfig("tiny");
  EXPECT_EQ(refusalOf(maker.graph, config, kBoth), "\"t1\" cannot stay in a cascade's ring: layer "
                                                   "2 reads it, too; leave the cascade out");
  maker.graph.layers.erase(maker.graph.layers.begin() + 1);
  EXPECT_EQ(refusalOf(maker.graph, config, kBoth), "\"t1\" cannot stay in a cascade's ring: layer "
                                                   "1 does not read it row by row; leave the "
                                                   "cascade out");
}

} // namespace
} // namespace tenon::mortise::testing
