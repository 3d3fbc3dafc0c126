// SPDX-License-Identifier: Apache-2.0
// The machine against the manual's text carried out an element at a time: the same bytes. And its
// timeline against the estimator's.
#include <set>

#include <gtest/gtest.h>

#include "hardware/mortise/Timing.h"
#include "tests/simulator/RandomNetwork.h"
#include "tests/simulator/RunPartition.h"

namespace tenon::tests {
namespace {

using namespace mortise;
using mortise::testing::interpret;
using mortise::testing::Job;
using mortise::testing::jobOf;
using mortise::testing::residualNetwork;
using mortise::testing::smallMachine;

void expectSameTime(const simulator::Program &program, ByteSpan stream, const Config &config) {
  auto timed = timedStream(*readStream(stream), config);
  ASSERT_TRUE(timed) << timed.error().message;
  const timing::Timeline expected = timing::simulate(machineOf(config), timed->commands);
  const timing::Timeline &found = program.timeline();
  EXPECT_GT(found.cycles, 0u);
  EXPECT_EQ(found.cycles, expected.cycles);
  EXPECT_EQ(found.macs, expected.macs);
  EXPECT_EQ(found.dramRead, expected.dramRead);
  EXPECT_EQ(found.dramWritten, expected.dramWritten);
  EXPECT_EQ(found.dramBytes, expected.dramBytes);
  ASSERT_EQ(found.layers.size(), expected.layers.size());
  for (size_t i = 0; i < found.layers.size(); ++i) {
    EXPECT_EQ(found.layers[i].first, expected.layers[i].first);
    EXPECT_EQ(found.layers[i].last, expected.layers[i].last);
  }
  for (size_t e = 0; e < kEngineCount; ++e) {
    EXPECT_EQ(found.engines[e].busy, expected.engines[e].busy);
    EXPECT_EQ(found.engines[e].commands, expected.engines[e].commands);
  }
}

/// How many graphs fitted their machine, and how many of those gave results that differ among
/// themselves: where all is saturated, nothing is compared.
struct Counts {
  uint32_t compared = 0, varied = 0;
};

void compareOn(const LayerGraph &graph, const Config &config, uint32_t seed, Counts &counts) {
  auto partition = compileLayers(graph, config);
  if (!partition)
    return;
  Job expected = jobOf(graph, *partition, seed), found = expected;
  const auto fault = interpret(partition->commands, config, expected);
  EXPECT_EQ(fault.message, "");
  const auto program = simulator::Program::load(partition->commands, config,
                                                limitsOf(partition->commands, config, found));
  EXPECT_EQ(wordsOf(program.fault()), "");
  simulator::Machine machine(config);
  run(program, partition->commands, machine, found);
  EXPECT_EQ(found.outputs, expected.outputs);
  EXPECT_EQ(found.scratch, expected.scratch);
  expectSameTime(program, partition->commands, config);
  const std::set<uint8_t> values(found.outputs.begin(), found.outputs.end());
  ++counts.compared, counts.varied += values.size() > 8;
}

/// Compares graphs [first, first + 100).
void compareMany(uint32_t first, const Config &config, uint32_t atLeast) {
  Counts counts;
  for (uint32_t seed = first; seed < first + 100; ++seed) {
    compareOn(randomNetwork(seed), config, seed, counts);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "seed " << seed << " on " << config.name;
      break;
    }
  }
  EXPECT_GE(counts.compared, atLeast);
  EXPECT_GE(counts.varied, atLeast / 2);
}

TEST(Differential, Tiny) { compareMany(0, *loadConfig("tiny"), 100); }
TEST(Differential, Small) { compareMany(100, *loadConfig("small"), 100); }
TEST(Differential, Medium) { compareMany(200, *loadConfig("medium"), 100); }
TEST(Differential, Large) { compareMany(300, *loadConfig("large"), 100); }
// So small that layers need many tiles; a few layers do not fit at all.
TEST(Differential, ManyTiles) { compareMany(400, smallMachine(12288), 80); }

TEST(Differential, AMachineKeepsNothingFromJobToJob) {
  const Config config = *loadConfig("tiny");
  const LayerGraph graph = residualNetwork(1);
  auto partition = compileLayers(graph, config);
  ASSERT_TRUE(partition);
  Job first = jobOf(graph, *partition, 1), again = first, other = jobOf(graph, *partition, 2);
  const auto program = simulator::Program::load(partition->commands, config,
                                                limitsOf(partition->commands, config, first));
  simulator::Machine machine(config);
  run(program, partition->commands, machine, first);
  const Bytes sram(machine.sram().begin(), machine.sram().end());
  run(program, partition->commands, machine, other);
  EXPECT_NE(other.outputs, first.outputs);
  run(program, partition->commands, machine, again);
  EXPECT_EQ(again.outputs, first.outputs);
  EXPECT_TRUE(std::ranges::equal(machine.sram(), sram));
}

} // namespace
} // namespace tenon::tests
