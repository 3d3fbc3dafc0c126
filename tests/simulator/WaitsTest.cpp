// SPDX-License-Identifier: Apache-2.0
// Waits taken away one by one: the machine refuses exactly the streams in which an order is lost.
// What is lost is decided by reachability over queues and waits, not by vector clocks.
#include <gtest/gtest.h>

#include "hardware/mortise/Dispatch.h"
#include "tests/simulator/RunPartition.h"

namespace tenon::tests {
namespace {

using namespace mortise;
using mortise::testing::interpret;
using mortise::testing::Job;
using mortise::testing::jobOf;
using mortise::testing::residualNetwork;
using mortise::testing::smallMachine;

/// A command of an engine's queue, counted from 1.
struct Place {
  size_t engine = 0;
  uint64_t number = 0;
};

/// Who comes before whom by queues and waits. Streams without BARRIER and SIGNAL.
class Order {
public:
  explicit Order(ByteSpan bytes) {
    const StreamView stream = *readStream(bytes);
    Dispatch dispatch;
    for (uint32_t i = 0; i + 1 < stream.commandCount(); ++i) {
      const Header header = stream.command(i)->header;
      waits.push_back(*dispatch.next(header));
      places.push_back({size_t(header.engine), dispatch.issued()[size_t(header.engine)]});
      queues[size_t(header.engine)].push_back(i);
    }
  }

  size_t size() const { return places.size(); }
  const EngineCounts &waitsOf(size_t command) const { return waits[command]; }
  void setWait(size_t command, size_t engine, uint64_t count) { waits[command][engine] = count; }

  /// The commands complete when \p command starts: by engine, how many.
  EngineCounts before(size_t command) const {
    EngineCounts counts{};
    std::vector<bool> seen(size());
    std::vector<size_t> open{command};
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      const auto visit = [&](size_t engine, uint64_t number) {
        if (!number)
          return;
        counts[engine] = std::max(counts[engine], number);
        const size_t other = queues[engine][number - 1];
        if (!seen[other])
          open.push_back(other);
        seen[other] = true;
      };
      visit(places[at].engine, places[at].number - 1);
      for (size_t e = 0; e < kEngineCount; ++e)
        visit(e, waits[at][e]);
    }
    return counts;
  }

private:
  std::vector<EngineCounts> waits;
  std::vector<Place> places;
  std::array<std::vector<size_t>, kEngineCount> queues;
};

/// Sets a wait in a container's bytes; counts below 32768 only.
void setWait(Bytes &bytes, size_t command, size_t engine, uint64_t count) {
  const size_t base = size_t(readStream(bytes)->commands.data() - bytes.data());
  const auto value = uint16_t(count);
  std::memcpy(&bytes[base + command * kCommandBytes + 4 + 2 * engine], &value, 2);
}

/// The same order with every wait it implies written out.
Bytes withImpliedWaits(const Bytes &bytes) {
  Bytes all = bytes;
  const Order order(bytes);
  for (size_t command = 0; command < order.size(); ++command) {
    const EngineCounts before = order.before(command);
    for (size_t e = 0; e < kEngineCount; ++e)
      setWait(all, command, e, before[e]);
  }
  return all;
}

struct Tally {
  uint32_t needed = 0, redundant = 0;
};

class WithoutWaits {
public:
  WithoutWaits(const Config &config, const LayerGraph &graph)
      : config(config), partition(*compileLayers(graph, config)), job(jobOf(graph, partition, 1)) {}

  const Bytes &commands() const { return partition.commands; }

  std::optional<simulator::Fault> faultOf(const Bytes &bytes) const {
    return simulator::Program::load(bytes, config, limitsOf(bytes, config, job)).fault();
  }

  /// Takes each wait of \p bytes away in turn.
  Tally run(const Bytes &bytes) const {
    Tally tally;
    const Order order(bytes);
    for (size_t command = 0; command < order.size(); ++command)
      for (size_t e = 0; e < kEngineCount; ++e)
        if (const uint64_t wait = order.waitsOf(command)[e])
          drop(bytes, order, command, e, wait, tally);
    return tally;
  }

private:
  Config config;
  EmittedPartition partition;
  Job job;

  void drop(const Bytes &bytes, Order order, size_t command, size_t engine, uint64_t wait,
            Tally &tally) const {
    order.setWait(command, engine, 0);
    const bool lost = order.before(command)[engine] < wait;
    ++(lost ? tally.needed : tally.redundant);
    Bytes without = bytes;
    setWait(without, command, engine, 0);
    const auto fault = faultOf(without);
    ASSERT_EQ(fault.has_value(), lost)
        << "command " << command << ", engine " << engine << ": " << wordsOf(fault);
    Job other = job;
    const auto code = interpret(without, config, other).code;
    EXPECT_EQ(code, lost ? FaultCode::HAZARD : FaultCode::NONE);
    if (!lost)
      return;
    EXPECT_EQ(fault->code, FaultCode::HAZARD);
    EXPECT_GE(fault->command, command) << "nothing before lost an order";
    const Header header = readStream(bytes)->command(fault->command)->header;
    EXPECT_EQ(fault->engine, header.engine);
    EXPECT_EQ(fault->layerTag, header.layerTag);
  }
};

TEST(Waits, EveryWaitThatIsEmittedIsNeeded) {
  for (uint32_t sram : {8192u, 24576u}) {
    const WithoutWaits without(smallMachine(sram), residualNetwork(3));
    ASSERT_EQ(wordsOf(without.faultOf(without.commands())), "");
    const Tally tally = without.run(without.commands());
    EXPECT_GE(tally.needed, 20u);
    EXPECT_EQ(tally.redundant, 0u);
    RecordProperty("needed" + std::to_string(sram), int(tally.needed));
  }
}

// With all that is implied written out, most waits can go one at a time: others imply them.
TEST(Waits, RedundantWaitsMayGo) {
  const WithoutWaits without(smallMachine(8192), residualNetwork(3));
  const Bytes all = withImpliedWaits(without.commands());
  ASSERT_EQ(wordsOf(without.faultOf(all)), "");
  const Tally tally = without.run(all);
  EXPECT_GE(tally.needed, 10u);
  EXPECT_GE(tally.redundant, 50u);
  RecordProperty("needed", int(tally.needed));
  RecordProperty("redundant", int(tally.redundant));
}

// Without any wait at all, only a check that looks can refuse.
TEST(Waits, NoCheckNoHazard) {
  const WithoutWaits without(smallMachine(8192), residualNetwork(3));
  Bytes none = without.commands();
  for (size_t command = 0; command < Order(none).size(); ++command)
    for (size_t e = 0; e < kEngineCount; ++e)
      setWait(none, command, e, 0);
  const auto fault = without.faultOf(none);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->code, FaultCode::HAZARD);
  simulator::Limits everything;
  everything.fill({uint64_t(1) << 40, true, true});
  EXPECT_EQ(wordsOf(simulator::Program::load(none, smallMachine(8192), everything,
                                             {.checkHazards = false})
                        .fault()),
            "");
}

} // namespace
} // namespace tenon::tests
