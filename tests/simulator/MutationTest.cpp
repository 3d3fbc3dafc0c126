// SPDX-License-Identifier: Apache-2.0
// Damaged streams: each is refused with a fault that names a place, or runs inside its memories
// and, where the interpreter knows the commands, gives its bytes. Nothing hangs: the watchdog is
// on. Reads out of bounds are the sanitizers' to find (preset asan).
#include <sstream>

#include <gtest/gtest.h>

#include "tests/simulator/RandomNetwork.h"
#include "tests/simulator/RunPartition.h"

namespace tenon::tests {
namespace {

using namespace mortise;
using mortise::testing::GraphMaker;
using mortise::testing::interpret;
using mortise::testing::Job;
using mortise::testing::jobOf;
using mortise::testing::residualNetwork;
using mortise::testing::smallMachine;

/// The lines in which two streams differ.
std::string differences(const Bytes &one, const Bytes &other) {
  std::istringstream before(disassemble(*readStream(one))), after(disassemble(*readStream(other)));
  std::string lines, a, b;
  while (std::getline(before, a) && std::getline(after, b))
    if (a != b)
      lines.append(a).append("\nbecame\n").append(b).append("\n");
  return lines;
}

struct Tally {
  uint32_t refused = 0, ran = 0, compared = 0;
  std::array<uint32_t, 16> codes{};
};

class Mutator {
public:
  Mutator(const LayerGraph &graph, uint32_t seed)
      : config(smallMachine(16384)), partition(*compileLayers(graph, config)),
        job(jobOf(graph, partition, seed)), maker(seed), machine(config) {
    job.unwritten = 0; // as the machine clears SRAM
  }

  void run(uint32_t count, Tally &tally) {
    for (uint32_t i = 0; i < count; ++i)
      tryOne(mutated(), tally);
  }

private:
  Config config;
  EmittedPartition partition;
  Job job;
  GraphMaker maker;
  simulator::Machine machine;

  /// One to three bits flipped behind the header, or the end cut off; sometimes in the header, too.
  Bytes mutated() {
    Bytes bytes = partition.commands;
    if (maker.below(20) == 0) {
      bytes.resize(maker.below(uint32_t(bytes.size())));
      return bytes;
    }
    const uint32_t first = maker.below(10) ? StreamHeader::kBytes : 0;
    for (uint32_t flips = uint32_t(maker.between(1, 3)); flips > 0; --flips)
      bytes[first + maker.below(uint32_t(bytes.size()) - first)] ^= uint8_t(1u << maker.below(8));
    return bytes;
  }

  void tryOne(const Bytes &bytes, Tally &tally) {
    Job found = job;
    const auto program = simulator::Program::load(bytes, config, limitsOf(bytes, config, job),
                                                  {.watchdogCycles = 1'000'000});
    if (const auto &fault = program.fault()) {
      ++tally.refused, ++tally.codes[size_t(fault->code)];
      EXPECT_NE(fault->code, FaultCode::NONE);
      EXPECT_NE(fault->message, "");
      EXPECT_LE(fault->command, bytes.size() / kCommandBytes);
      EXPECT_TRUE(program.steps().empty());
      return;
    }
    ++tally.ran;
    tests::run(program, bytes, machine, found);
    EXPECT_EQ(found.constants, job.constants);
    EXPECT_EQ(found.inputs, job.inputs);
    compare(bytes, found, tally);
  }

  void compare(const Bytes &bytes, const Job &found, Tally &tally) {
    Job expected = job;
    if (interpret(bytes, config, expected).code != FaultCode::NONE || expected.overlapping)
      return; // a command or mode that it does not know, or a result that is open
    ++tally.compared;
    EXPECT_TRUE(found.outputs == expected.outputs && found.scratch == expected.scratch)
        << differences(partition.commands, bytes);
  }
};

TEST(Mutation, DamagedStreamsAreRefusedOrRunInsideTheirMemories) {
  Tally tally;
  for (uint32_t seed = 0; seed < 24; ++seed)
    Mutator(seed % 2 ? randomNetwork(seed) : residualNetwork(seed), seed).run(125, tally);
  EXPECT_EQ(tally.refused + tally.ran, 3000u);
  EXPECT_GE(tally.refused, 1000u);
  EXPECT_GE(tally.ran, 300u);
  EXPECT_GE(tally.compared, 200u);
  for (FaultCode code :
       {FaultCode::BAD_OPCODE, FaultCode::BAD_VERSION, FaultCode::BAD_DESC, FaultCode::SRAM_RANGE,
        FaultCode::REGION_RANGE, FaultCode::REGION_PERM, FaultCode::ALIGN, FaultCode::WAIT_FORWARD,
        FaultCode::HAZARD, FaultCode::CODEC, FaultCode::UPROG, FaultCode::UNSUPPORTED})
    EXPECT_GT(tally.codes[size_t(code)], 0u) << nameOf(code);
  RecordProperty("refused", int(tally.refused));
  RecordProperty("ran", int(tally.ran));
  RecordProperty("compared", int(tally.compared));
}

} // namespace
} // namespace tenon::tests
