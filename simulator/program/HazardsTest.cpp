// SPDX-License-Identifier: Apache-2.0
// Orders by queue, wait, barrier and signal; operands in place; bytes next to each other.
#include "simulator/program/Hazards.h"

#include <gtest/gtest.h>

#include "simulator/testing/TestJob.h"

namespace tenon::simulator {
namespace {

using namespace mortise;
using testing::TestJob;

Touch touch(bool write, uint64_t begin, uint64_t bytes, uint8_t space = kSramSpace) {
  return {space, write, false, begin, bytes};
}
OrderedCommand command(Engine engine, Touch touched, EngineCounts waits = {}) {
  return {engine, false, waits, {touched}};
}
/// Index of the command that races, or -1.
int raceIn(const std::vector<OrderedCommand> &commands) {
  const auto race = findRace(commands);
  return race ? int(race->command) : -1;
}

const OrderedCommand kLoad = command(Engine::LD, touch(true, 64, 16));

TEST(Hazards, ReadAfterWrite) {
  EXPECT_EQ(raceIn({kLoad, command(Engine::MAC, touch(false, 64, 16))}), 1);
  EXPECT_EQ(raceIn({kLoad, command(Engine::MAC, touch(false, 64, 16), {1, 0, 0, 0, 0})}), -1);
}

TEST(Hazards, WriteAfterRead) {
  const OrderedCommand reads = command(Engine::MAC, touch(false, 64, 16));
  EXPECT_EQ(raceIn({reads, kLoad}), 1);
  EXPECT_EQ(raceIn({reads, command(Engine::LD, touch(true, 64, 16), {0, 0, 0, 1, 0})}), -1);
}

TEST(Hazards, WriteAfterWriteAndTwoReads) {
  EXPECT_EQ(raceIn({kLoad, command(Engine::WT, touch(true, 79, 1))}), 1);
  EXPECT_EQ(raceIn({kLoad, command(Engine::MAC, touch(false, 0, 8)),
                    command(Engine::ST, touch(false, 0, 8))}),
            -1);
}

TEST(Hazards, NeighboursDoNotMeet) {
  EXPECT_EQ(raceIn({kLoad, command(Engine::MAC, touch(false, 80, 16)),
                    command(Engine::MAC, touch(false, 48, 16))}),
            -1);
  EXPECT_EQ(raceIn({kLoad, command(Engine::MAC, touch(false, 64, 16, 2))}), -1);
  // Every second byte of two that interleave.
  Touch even = touch(true, 0, 1), odd = touch(true, 1, 1);
  even.count[1] = odd.count[1] = 8, even.stride[1] = odd.stride[1] = 2;
  EXPECT_EQ(raceIn({command(Engine::LD, even), command(Engine::WT, odd)}), -1);
  odd.begin = 14;
  EXPECT_EQ(raceIn({command(Engine::LD, even), command(Engine::WT, odd)}), 1);
}

TEST(Hazards, OrderGoesThroughOthers) {
  const OrderedCommand between = command(Engine::WT, touch(false, 0, 1), {1, 0, 0, 0, 0});
  EXPECT_EQ(raceIn({kLoad, between, command(Engine::MAC, touch(false, 64, 16), {0, 1, 0, 0, 0})}),
            -1);
  // A later command of the queue it waited for is not covered.
  EXPECT_EQ(raceIn({command(Engine::LD, touch(true, 0, 8)), kLoad,
                    command(Engine::MAC, touch(false, 64, 16), {1, 0, 0, 0, 0})}),
            2);
}

TEST(Hazards, AQueueIsInOrder) {
  EXPECT_EQ(raceIn({kLoad, kLoad, command(Engine::LD, touch(false, 64, 16))}), -1);
}

TEST(Hazards, BarriersAndSignalsHoldDispatch) {
  const OrderedCommand read = command(Engine::MAC, touch(false, 64, 16));
  OrderedCommand barrier{Engine::CP, true, {}, {}}, signal{Engine::CP, false, {}, {}};
  EXPECT_EQ(raceIn({kLoad, barrier, read}), -1);
  EXPECT_EQ(raceIn({kLoad, signal, read}), 2);
  signal.waits[0] = 1;
  EXPECT_EQ(raceIn({kLoad, signal, read}), -1);
}

TEST(Hazards, SignalsWriteDram) {
  OrderedCommand signal{Engine::CP, false, {}, {touch(true, 8, 4, 4)}};
  const OrderedCommand store = command(Engine::ST, touch(true, 0, 16, 4));
  EXPECT_EQ(raceIn({store, signal}), 1);
  EXPECT_EQ(raceIn({signal, store}), -1) << "dispatch came after the signal";
  signal.waits[2] = 1;
  EXPECT_EQ(raceIn({store, signal}), -1);
}

/// One VEC command from a_address, whose operand a has this view, to 0x100.
Fault inPlace(uint32_t address, const View &a, std::vector<MicroOp> program = {}) {
  TestJob job;
  VecDescriptor d;
  d.a = a, d.b = a;
  d.output.blockStride = 64, d.output.rowStride = 128;
  VecRun run;
  run.h = 2, run.w = 4, run.c = 32;
  run.aAddress = address, run.bAddress = 0x100, run.outAddress = 0x100;
  if (program.empty())
    program = {{MicroOpcode::ABS, 0, 0, uint8_t(Source::A), 0, 0}};
  job.run(d, run, program, {}, 5);
  return job.fault();
}

View sameView() {
  View view;
  view.blockStride = 64, view.rowStride = 128;
  return view;
}

TEST(Hazards, OperandInPlace) {
  EXPECT_EQ(inPlace(0x100, sameView()).message, "");
  View other = sameView();
  other.dtype = DType::U8, other.zeroPoint = 128; // the same bytes
  EXPECT_EQ(inPlace(0x100, other).message, "");
  EXPECT_EQ(inPlace(0x200, sameView()).message, "") << "behind the output";
}

TEST(Hazards, OperandThatOverlapsOtherwise) {
  const Fault shifted = inPlace(0x110, sameView());
  EXPECT_EQ(shifted.code, FaultCode::HAZARD);
  EXPECT_EQ(shifted.engine, Engine::VEC);
  EXPECT_EQ(shifted.layerTag, 5);
  EXPECT_EQ(shifted.command, 0u);
  EXPECT_EQ(shifted.address, 0x110u);
  View strided = sameView();
  strided.rowStride = 256;
  EXPECT_EQ(inPlace(0x100, strided).code, FaultCode::HAZARD);
  View repeated = sameView();
  repeated.broadcast = Axis::H;
  EXPECT_EQ(inPlace(0x100, repeated).code, FaultCode::HAZARD);
  // Operand a is in place, operand b is too; then a lies elsewhere in the output.
  const std::vector<MicroOp> both = {
      {MicroOpcode::ADD, 0, 0, uint8_t(Source::A), uint8_t(Source::B), 0}};
  EXPECT_EQ(inPlace(0x100, sameView(), both).message, "");
  EXPECT_EQ(inPlace(0x140, sameView(), both).code, FaultCode::HAZARD);
}

TEST(Hazards, ConvolutionsAreNeverInPlaceButTheirOperandsMayBe) {
  MacDescriptor d;
  d.inputChannels = 16, d.input.blockStride = d.output.blockStride = d.operand.blockStride = 16;
  MacRun run;
  run.inputAddress = 0x100, run.outputAddress = 0x100;
  run.weightAddress = 0x1000, run.weightLength = 256, run.tableAddress = 0x2000;
  TestJob same;
  same.run(d, run);
  EXPECT_EQ(same.fault().code, FaultCode::HAZARD);
  d.eltwise = Eltwise::ADD;
  run.outputAddress = run.operandAddress = 0x200;
  TestJob operand;
  operand.run(d, run);
  EXPECT_EQ(operand.fault().message, "");
}

TEST(Hazards, PoolsAreNotInPlace) {
  TestJob job;
  VecDescriptor d;
  d.vecKind = VecKind::POOL, d.operation = VecOperation::MAX;
  d.a = d.output = sameView();
  VecRun run;
  run.inRows = run.inCols = 1, run.aAddress = run.outAddress = 0x100;
  job.run(d, run, {});
  EXPECT_EQ(job.fault().code, FaultCode::HAZARD);
}

} // namespace
} // namespace tenon::simulator
