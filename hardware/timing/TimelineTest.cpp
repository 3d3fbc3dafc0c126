// SPDX-License-Identifier: Apache-2.0
// Small schedules timed by hand.
#include "hardware/timing/Timeline.h"

#include <gtest/gtest.h>

namespace tenon::timing {
namespace {

Machine machine() {
  return {.engines = 3,
          .queueDepth = 2,
          .dispatchCycles = 0,
          .descriptorEntries = 2,
          .descriptorMissCycles = 0,
          .dramBytesPerCycle = 10,
          .sramBytesPerCycle = 100};
}

TimedCommand compute(uint8_t engine, uint64_t cycles,
                     std::array<uint64_t, kMaxEngines> waits = {}) {
  TimedCommand command;
  command.engine = engine;
  command.waits = waits;
  command.work.cycles = cycles;
  return command;
}

TimedCommand transfer(uint8_t engine, uint64_t latency, uint64_t bytes) {
  TimedCommand command;
  command.engine = engine;
  command.work.latency = latency;
  command.work.dramBytes = command.work.dramRead = bytes;
  return command;
}

TEST(Timeline, EnginesRunSideBySide) {
  const TimedCommand commands[] = {compute(0, 100), compute(1, 70), compute(0, 5)};
  const Timeline timeline = simulate(machine(), commands);
  EXPECT_EQ(timeline.cycles, 105u);
  EXPECT_EQ(timeline.engines[0].busy, 105u);
  EXPECT_EQ(timeline.engines[1].busy, 70u);
}

TEST(Timeline, WaitHoldsAnEngineAndCountsAsDependency) {
  const TimedCommand commands[] = {compute(0, 100), compute(1, 7, {1})};
  const Timeline timeline = simulate(machine(), commands);
  EXPECT_EQ(timeline.cycles, 107u);
  EXPECT_EQ(timeline.engines[1].dependency, 100u);
}

TEST(Timeline, TransfersShareDramEvenly) {
  // Alone 1000 / 10 = 100 cycles each; together 200 for both.
  const TimedCommand commands[] = {transfer(0, 0, 1000), transfer(1, 0, 1000)};
  const Timeline timeline = simulate(machine(), commands);
  EXPECT_EQ(timeline.cycles, 200u);
  EXPECT_EQ(timeline.engines[0].dram, 100u);
  EXPECT_EQ(timeline.dramBytes, 2000u);
}

TEST(Timeline, ShortTransferFreesItsShare) {
  // 500 bytes at 5 a cycle end at 100; the other has 500 left and gets 10 a cycle: 150.
  const TimedCommand commands[] = {transfer(0, 0, 500), transfer(1, 0, 1000)};
  EXPECT_EQ(simulate(machine(), commands).cycles, 150u);
}

TEST(Timeline, LatencyIsNotShared) {
  const TimedCommand commands[] = {transfer(0, 30, 100), transfer(1, 30, 100)};
  EXPECT_EQ(simulate(machine(), commands).cycles, 50u);
}

TEST(Timeline, SramSlowsEveryoneByOneFactor) {
  TimedCommand heavy = compute(0, 100), light = compute(1, 100);
  heavy.work.sramBytes = 15000; // 150 a cycle
  light.work.sramBytes = 5000;  // 50 a cycle; together twice what there is
  const TimedCommand commands[] = {heavy, light};
  const Timeline timeline = simulate(machine(), commands);
  EXPECT_EQ(timeline.cycles, 200u);
  EXPECT_EQ(timeline.engines[1].sram, 100u);
}

TEST(Timeline, FullQueueHoldsDispatch) {
  // Depth 2: the third command of engine 0 is dispatched when the first is done, and so is
  // engine 1's, which stands behind it.
  const TimedCommand commands[] = {compute(0, 50), compute(0, 50), compute(0, 50), compute(1, 10)};
  const Timeline timeline = simulate(machine(), commands, true);
  EXPECT_EQ(timeline.cycles, 150u);
  EXPECT_EQ(timeline.commands[3].start, 50);
}

TEST(Timeline, DispatchAndDescriptorMissesCostTime) {
  Machine slow = machine();
  slow.dispatchCycles = 8, slow.descriptorMissCycles = 100;
  TimedCommand first = compute(0, 1), second = compute(1, 1);
  first.descriptor = second.descriptor = 3;
  const TimedCommand commands[] = {first, second};
  const Timeline timeline = simulate(slow, commands, true);
  EXPECT_EQ(timeline.commands[0].start, 108);
  EXPECT_EQ(timeline.commands[1].start, 116);
}

TEST(Timeline, LeastRecentlyUsedDescriptorGoes) {
  Machine slow = machine();
  slow.descriptorMissCycles = 100;
  std::vector<TimedCommand> commands;
  for (int key : {1, 2, 1, 3, 1, 2}) { // misses: 1, 2, 3, 2
    commands.push_back(compute(0, 0));
    commands.back().descriptor = key;
  }
  EXPECT_EQ(simulate(slow, commands).cycles, 400u);
}

TEST(Timeline, BarrierWaitsForAllEngines) {
  TimedCommand barrier;
  barrier.barrier = true;
  const TimedCommand commands[] = {compute(0, 40), compute(1, 90), barrier, compute(2, 10)};
  EXPECT_EQ(simulate(machine(), commands).cycles, 100u);
}

TEST(Timeline, LayersKnowTheirSpan) {
  TimedCommand first = compute(0, 40), second = compute(0, 60);
  second.layer = 1;
  second.work.macs = 7;
  const TimedCommand commands[] = {first, second};
  const Timeline timeline = simulate(machine(), commands);
  ASSERT_EQ(timeline.layers.size(), 2u);
  EXPECT_EQ(timeline.layers[0].last, 40u);
  EXPECT_EQ(timeline.layers[1].first, 40u);
  EXPECT_EQ(timeline.layers[1].last, 100u);
  EXPECT_EQ(timeline.layers[1].macs, 7u);
}

} // namespace
} // namespace tenon::timing
