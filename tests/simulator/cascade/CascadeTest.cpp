// SPDX-License-Identifier: Apache-2.0
// Compiled cascades on the simulator: the bits of the layers' own words and of the compiler's own
// interpreter, and races where a ring or a wait is taken away.
#include <gtest/gtest.h>

#include "backend/mortise/emit/testing/CascadeGraphs.h"
#include "backend/mortise/emit/testing/TestCompile.h"
#include "simulator/Machine.h"

namespace tenon::simulator {
namespace {

using namespace mortise::testing;
using mortise::CompileOptions;
using mortise::Config;
using mortise::EmittedPartition;
using mortise::FaultCode;
using mortise::LayerGraph;
using enum Link::Kind;

const CompileOptions kBoth{{{0, 1}}};

Limits limitsOf(const Config &config, const Job &job) {
  Limits limits;
  limits[1] = {job.constants.size(), true, false};
  limits[2] = {job.scratchBytes, true, true};
  limits[3] = {job.inputs.size(), true, false};
  limits[4] = {job.outputs.size(), true, true};
  limits[kSramSpace] = {config.sramBytes, true, true};
  return limits;
}

/// Runs \p commands on \p job; the fault, if there is one.
std::optional<Fault> simulate(const Bytes &commands, const Config &config, Job &job) {
  const Program program = Program::load(commands, config, limitsOf(config, job));
  if (program.fault())
    return program.fault();
  Bytes scratch(job.scratchBytes, 0x5a);
  Machine(config).run(program, {nullptr, job.constants.data(), scratch.data(), job.inputs.data(),
                                job.outputs.data(), nullptr, nullptr, nullptr});
  return std::nullopt;
}

std::string simulateAndCompare(const LayerGraph &graph, const Config &config, uint32_t seed) {
  auto partition = mortise::compileLayers(graph, config, kBoth);
  if (!partition)
    return partition.error().message;
  Job job = jobOf(graph, *partition, seed), interpreted = job;
  if (auto fault = simulate(partition->commands, config, job))
    return fault->message;
  if (interpret(partition->commands, config, interpreted).code != FaultCode::NONE ||
      interpreted.outputs != job.outputs)
    return "the interpreter does not agree";
  return compareOutputs(graph, job);
}

TEST(CascadeOnSimulator, BitsAreTheLayersOwn) {
  for (const NamedPair &pair : cascadePairs())
    for (uint32_t seed = 0; seed < 3; ++seed) {
      const LayerGraph graph = chain(seed, 19 + seed, 17 - seed, 20, pair.links);
      for (const char *name : {"tiny", "small", "medium", "large"})
        EXPECT_EQ(simulateAndCompare(graph, *mortise::loadConfig(name), seed), "")
            << pair.name << ", " << name;
      EXPECT_EQ(simulateAndCompare(graph, smallMachine(24832), seed), "") << pair.name;
    }
}

/// Convolution and pooling: two engines share the ring.
struct TwoEngines {
  LayerGraph graph = chain(3, 24, 16, 16, {{Convolution, 3, 1, 1, 16}, {MaxPool, 3, 1, 1}});
  Config config = smallMachine(12288);
  EmittedPartition partition = *mortise::compileLayers(graph, config, kBoth);
  Job job = jobOf(graph, partition, 1);

  FaultCode codeOf(const Bytes &commands) {
    auto fault = simulate(commands, config, job);
    return fault ? fault->code : FaultCode::NONE;
  }
};

TEST(CascadeOnSimulator, ARingOfOneRowLessIsARace) {
  TwoEngines two;
  EXPECT_EQ(two.codeOf(two.partition.commands), FaultCode::NONE);
  EXPECT_EQ(two.codeOf(withSmallerRings(two.partition.commands)), FaultCode::HAZARD);
}

TEST(CascadeOnSimulator, WithoutTheWaitsThatProtectTheRingItIsARace) {
  TwoEngines two;
  auto stream = mortise::readStream(two.partition.commands);
  const auto base = size_t(stream->commands.data() - two.partition.commands.data());
  uint32_t tried = 0;
  for (uint32_t i = 0; i < stream->commandCount(); ++i) {
    const auto header = stream->command(i)->header;
    // The convolution waits until the pooling has read the rows that it writes over.
    if (header.engine != mortise::Engine::MAC || !header.wait[size_t(mortise::Engine::VEC)])
      continue;
    Bytes without = two.partition.commands;
    const size_t field = base + i * mortise::kCommandBytes + 4 + 2 * size_t(mortise::Engine::VEC);
    without[field] = without[field + 1] = 0;
    EXPECT_EQ(two.codeOf(without), FaultCode::HAZARD) << "command " << i;
    ++tried;
  }
  EXPECT_GT(tried, 2u);
}

} // namespace
} // namespace tenon::simulator
