// SPDX-License-Identifier: Apache-2.0
// Networks of several layers: order, races, costs, determinism, refusals.
#include "backend/mortise/emit/CompileLayers.h"

#include <gtest/gtest.h>

#include "backend/mortise/emit/testing/TestCompile.h"
#include "hardware/mortise/Timing.h"

namespace tenon::mortise::testing {
namespace {

TEST(CompileLayers, ANetworkRunsOnEveryMachine) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const LayerGraph graph = residualNetwork(seed);
    for (const char *name : {"tiny", "small", "medium", "large"})
      EXPECT_EQ(runAndCompare(graph, *loadConfig(name), seed), "") << name;
    for (uint32_t sram : {6144u, 8192u, 16384u})
      EXPECT_EQ(runAndCompare(graph, smallMachine(sram), seed), "") << sram;
  }
}

TEST(CompileLayers, TheSameGraphGivesTheSameBytes) {
  auto one = compileLayers(residualNetwork(1), smallMachine(8192));
  auto other = compileLayers(residualNetwork(1), smallMachine(8192));
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->commands, other->commands);
  EXPECT_EQ(one->constants, other->constants);
}

/// Streams with one wait taken away, in turn.
std::vector<Bytes> withoutOneWait(const Bytes &commands) {
  std::vector<Bytes> streams;
  auto stream = readStream(commands);
  const size_t base = size_t(stream->commands.data() - commands.data());
  for (size_t at = base; at < base + stream->commands.size(); at += kCommandBytes)
    for (size_t e = 0; e < kEngineCount; ++e)
      if (const size_t field = at + 4 + 2 * e; commands[field] || commands[field + 1]) {
        streams.push_back(commands);
        streams.back()[field] = streams.back()[field + 1] = 0;
      }
  return streams;
}

TEST(CompileLayers, EveryWaitIsNeeded) {
  const LayerGraph graph = residualNetwork(2);
  for (uint32_t sram : {8192u, 65536u}) {
    const Config config = smallMachine(sram);
    auto partition = compileLayers(graph, config);
    ASSERT_TRUE(partition);
    const std::vector<Bytes> streams = withoutOneWait(partition->commands);
    EXPECT_GT(streams.size(), 20u);
    for (size_t i = 0; i < streams.size(); ++i) {
      Job job = jobOf(graph, *partition, 1);
      EXPECT_EQ(interpret(streams[i], config, job).code, FaultCode::HAZARD) << "wait " << i;
    }
  }
}

TEST(CompileLayers, CostsAddUpToTheStream) {
  const Config config = *loadConfig("medium");
  const LayerGraph graph = residualNetwork(3);
  auto partition = compileLayers(graph, config);
  ASSERT_TRUE(partition);
  auto timed = timedStream(*readStream(partition->commands), config);
  ASSERT_TRUE(timed) << timed.error().message;
  const timing::Timeline timeline = timing::simulate(machineOf(config), timed->commands);
  uint64_t cycles = 0, bytes = 0;
  for (const package::CostEntry &cost : partition->costs)
    cycles += cost.cycles, bytes += cost.dramBytes;
  EXPECT_LE(cycles, timeline.cycles);
  EXPECT_GE(cycles + 100, timeline.cycles);
  EXPECT_EQ(bytes, timeline.dramBytes);
}

TEST(CompileLayers, LoadsRunBesideTheEngine) {
  GraphMaker maker(1);
  const uint32_t in = maker.input(64, 64, 32), out = maker.output(64, 64, 32);
  maker.add(maker.finished(convolution(in, out, 3, 1, 1)));
  const Config config = *loadConfig("medium");
  auto partition = compileLayers(maker.graph, config);
  ASSERT_TRUE(partition);
  auto timed = timedStream(*readStream(partition->commands), config);
  ASSERT_TRUE(timed);
  const timing::Timeline timeline = timing::simulate(machineOf(config), timed->commands);
  uint64_t busy = 0;
  for (const timing::EngineTime &engine : timeline.engines)
    busy += engine.busy;
  const uint64_t mac = timeline.engines[size_t(Engine::MAC)].busy;
  EXPECT_LT(timeline.cycles - mac, (busy - mac) / 2) << "less than half of the transfers is hidden";
}

TEST(CompileLayers, LayersAreTaggedAndNamed) {
  const LayerGraph graph = residualNetwork(4);
  auto partition = compileLayers(graph, *loadConfig("tiny"));
  ASSERT_TRUE(partition);
  auto stream = readStream(partition->commands);
  ASSERT_EQ(partition->debug.size(), graph.layers.size());
  uint32_t ended = 0;
  for (uint32_t i = 0; i + 1 < stream->commandCount(); ++i)
    ended += (stream->command(i)->header.flags & Flag::LAST_OF_LAYER) != 0;
  EXPECT_EQ(ended, graph.layers.size());
  for (size_t i = 0; i < partition->debug.size(); ++i) {
    EXPECT_EQ(stream->command(partition->debug[i].firstCommand)->header.layerTag, i + 1);
    EXPECT_EQ(partition->debug[i].operators, graph.layers[i].operators);
  }
  EXPECT_EQ(stream->command(stream->commandCount() - 1)->header.op, Opcode::END);
}

TEST(CompileLayers, TensorsThatNeverMeetShareScratch) {
  const LayerGraph graph = residualNetwork(5);
  auto partition = compileLayers(graph, *loadConfig("tiny"));
  ASSERT_TRUE(partition);
  uint64_t all = 0;
  for (const LayerTensor &tensor : graph.tensors)
    all += tensor.home == Home::Scratch && !tensor.aliasOf ? tensor.sizeBytes() : 0;
  EXPECT_LT(partition->scratchBytes, all);
}

TEST(CompileLayers, ALayerThatDoesNotFitIsNamed) {
  auto partition = compileLayers(residualNetwork(1), smallMachine(1024));
  ASSERT_FALSE(partition);
  const LayerFailure &failure = partition.error();
  EXPECT_EQ(failure.limit, 1024u);
  EXPECT_GT(failure.value, 1024u);
  EXPECT_EQ(failure.operators, (std::vector<int64_t>{failure.layer + 10}));
  EXPECT_EQ(failure.message,
            fmt::format("its smallest tile needs {} bytes of SRAM, 1024 are there", failure.value));
}

TEST(CompileLayers, PaddingPastACommandsFieldIsNamed) {
  GraphMaker maker(1);
  const uint32_t in = maker.input(4, 4, 4), out = maker.output(604, 4, 4);
  MacLayer layer = convolution(in, out, 1, 1, 0);
  layer.padTop = layer.padBottom = 300;
  maker.add(maker.finished(layer));
  auto partition = compileLayers(maker.graph, *loadConfig("tiny"));
  ASSERT_FALSE(partition);
  EXPECT_EQ(partition.error().message, "its padding of 300 exceeds 255");
}

} // namespace
} // namespace tenon::mortise::testing
