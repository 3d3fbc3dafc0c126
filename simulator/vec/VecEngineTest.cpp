// SPDX-License-Identifier: Apache-2.0
// Whole VEC commands on small tensors, worked out by hand: views, windows, reductions.
#include "simulator/vec/VecEngine.h"

#include <gtest/gtest.h>

namespace tenon::simulator {
namespace {

using namespace mortise;

constexpr uint8_t kA = uint8_t(Source::A), kB = uint8_t(Source::B);

View linear(DType type, uint32_t rowStride, uint32_t columnStride, int16_t zeroPoint = 0) {
  View view;
  view.dtype = type, view.layout = Layout::LINEAR, view.zeroPoint = zeroPoint;
  view.rowStride = rowStride, view.blockStride = columnStride;
  return view;
}

/// a at 0, b at 256, the output at 512.
class Vec : public ::testing::Test {
protected:
  Bytes sram = Bytes(1024, 0xee);
  VecStep step;

  Vec() { step.run.bAddress = 256, step.run.outAddress = 512; }

  void shape(uint16_t h, uint16_t w, uint16_t c) { step.run.h = h, step.run.w = w, step.run.c = c; }
  void program(const std::vector<MicroOp> &ops) {
    step.program = ops;
    step.readsA = readsSource(ops, Source::A), step.readsB = readsSource(ops, Source::B);
  }
  template <typename T> void put(size_t at, const std::vector<T> &values) {
    std::memcpy(&sram[at], values.data(), values.size() * sizeof(T));
  }
  template <typename T> std::vector<T> results(size_t count, size_t at = 512) {
    VecEngine().run(step, sram.data());
    std::vector<T> values(count);
    std::memcpy(values.data(), &sram[at], count * sizeof(T));
    return values;
  }
};

TEST_F(Vec, ZeroPointsComeOffAndGoOnWithSaturation) {
  shape(1, 1, 4);
  step.descriptor.a = linear(DType::U8, 4, 4, 128);
  step.descriptor.output = linear(DType::I8, 4, 4, 10);
  program({{MicroOpcode::ADD, 0, 0, kA, kA, 0}});
  put<uint8_t>(0, {0, 128, 140, 255});
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{-128, 10, 34, 127}));
}

TEST_F(Vec, SixteenAndThirtyTwoBits) {
  shape(1, 2, 2);
  step.descriptor.a = linear(DType::I16, 8, 4);
  step.descriptor.output = linear(DType::I32, 16, 8);
  program({{MicroOpcode::MUL, 0, 0, kA, kA, 0}});
  put<int16_t>(0, {-32768, 3, -4, 32767});
  EXPECT_EQ(results<int32_t>(4), (std::vector<int32_t>{1 << 30, 9, 16, 1073676289}));
  step.descriptor.output = linear(DType::I16, 8, 4);
  EXPECT_EQ(results<int16_t>(4), (std::vector<int16_t>{32767, 9, 16, 32767}));
}

TEST_F(Vec, RaggedBlocksGetTheZeroPoint) {
  shape(1, 2, 3);
  step.descriptor.a.blockStride = step.descriptor.output.blockStride = 32; // B16
  step.descriptor.output.zeroPoint = -3;
  program({{MicroOpcode::MOV, 0, 0, kA, 0, 0}});
  put<int8_t>(0, {1, 2, 3}), put<int8_t>(16, {4, 5, 6});
  std::vector<int8_t> expected(32, -3);
  for (int i = 0; i < 3; ++i)
    expected[i] = int8_t(i + 1 - 3), expected[16 + i] = int8_t(i + 4 - 3);
  EXPECT_EQ(results<int8_t>(32), expected);
  EXPECT_EQ(sram[512 + 32], 0xee);
}

TEST_F(Vec, RingsWrapByRow) {
  shape(3, 1, 1);
  step.descriptor.a = linear(DType::I8, 2, 1), step.descriptor.a.ringRows = 4;
  step.descriptor.output = linear(DType::I8, 1, 1), step.descriptor.output.ringRows = 2;
  step.run.aRow = 7, step.run.outRow = 2; // lines 3, 0, 1; lines 0, 1, 0
  program({{MicroOpcode::MOV, 0, 0, kA, 0, 0}});
  put<int8_t>(0, {10, 0, 20, 0, 30, 0, 40, 0});
  EXPECT_EQ(results<int8_t>(2), (std::vector<int8_t>{20, 10}));
}

TEST_F(Vec, BroadcastInEveryDimension) {
  shape(2, 2, 2);
  step.descriptor.a = linear(DType::I8, 4, 2);
  step.descriptor.output = linear(DType::I8, 4, 2);
  program({{MicroOpcode::ADD, 0, 0, kA, kB, 0}});
  put<int8_t>(0, {0, 1, 2, 3, 4, 5, 6, 7}), put<int8_t>(256, {10, 20, 30, 40, 50, 60, 70, 80});
  step.descriptor.b = linear(DType::I8, 4, 2);
  step.descriptor.b.broadcast = Axis::H;
  EXPECT_EQ(results<int8_t>(8), (std::vector<int8_t>{10, 21, 32, 43, 14, 25, 36, 47}));
  step.descriptor.b.broadcast = Axis::W | Axis::C;
  EXPECT_EQ(results<int8_t>(8), (std::vector<int8_t>{10, 11, 12, 13, 54, 55, 56, 57}));
}

// The index of a broadcast dimension is 0: the row is the operand's first, whichever that is.
TEST_F(Vec, BroadcastRowIsTheFirstRow) {
  shape(2, 1, 1);
  step.descriptor.a = linear(DType::I8, 1, 1);
  step.descriptor.b = linear(DType::I8, 1, 1), step.descriptor.b.broadcast = Axis::H;
  step.descriptor.output = linear(DType::I8, 1, 1);
  step.run.bRow = 2;
  program({{MicroOpcode::ADD, 0, 0, kA, kB, 0}});
  put<int8_t>(0, {1, 2}), put<int8_t>(256, {10, 20, 30});
  EXPECT_EQ(results<int8_t>(2), (std::vector<int8_t>{31, 32}));
}

/// 3 x 3 pixels of one channel, windows of 2 x 2.
class Pool : public Vec {
protected:
  Pool() {
    shape(2, 2, 1);
    step.run.inRows = step.run.inCols = 3;
    VecDescriptor &d = step.descriptor;
    d.vecKind = VecKind::POOL, d.operation = VecOperation::AVERAGE;
    d.kernelH = d.kernelW = 2;
    d.a = linear(DType::I8, 3, 1), d.output = linear(DType::I8, 2, 1);
    put<int8_t>(0, {1, 2, 3, 4, -5, 6, -7, -8, -9});
  }
};

TEST_F(Pool, Maximum) {
  step.descriptor.operation = VecOperation::MAX;
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{4, 6, 4, 6}));
  step.descriptor.clampMax = 5, step.descriptor.output.zeroPoint = 1;
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{5, 6, 5, 6}));
}

// Sums 2, 6, -16, -16 of four: 0.5, 1.5, -4, -4.
TEST_F(Pool, AverageRoundsTies) {
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{1, 2, -4, -4}));
  put<int8_t>(0, {-1, -2, -3, -4, 5, -6, 7, 8, 9}); // -0.5, -1.5
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{-1, -2, 4, 4}));
  step.descriptor.rounding = PoolRounding::HALF_UP;
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{0, -1, 4, 4}));
}

// With 128 added the sums are positive, and HALF_AWAY rounds -0.5 to 0, as TFLite's uint8 does.
TEST_F(Pool, InputOffsetIsAddedBeforeTheSum) {
  put<int8_t>(0, {-1, -2, -3, -4, 5, -6, 7, 8, 9});
  step.descriptor.inputOffset = 128;
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{0, -1, 4, 4}));
}

// Stride 2 and padding 1: windows hold 1, 2, 2 and 4 elements.
TEST_F(Pool, ElementsOutsideTakeNoPart) {
  step.descriptor.strideH = step.descriptor.strideW = 2;
  step.run.padTop = step.run.padLeft = 1;
  // 1; (2 + 3) / 2; (4 - 7) / 2; (-5 + 6 - 8 - 9) / 4
  EXPECT_EQ(results<int8_t>(4), (std::vector<int8_t>{1, 3, -2, -4}));
}

TEST_F(Pool, AWindowWithoutElementsGivesZero) {
  step.run.padTop = 2;
  step.descriptor.output.zeroPoint = 9, step.descriptor.clampMin = 3;
  EXPECT_EQ(results<int8_t>(2), (std::vector<int8_t>{9, 9}));
}

/// 2 x 2 pixels of three channels.
class Reduce : public Vec {
protected:
  Reduce() {
    step.run.inRows = step.run.inCols = 2, step.run.inChannels = 3;
    VecDescriptor &d = step.descriptor;
    d.vecKind = VecKind::REDUCE, d.operation = VecOperation::SUM;
    d.a = linear(DType::I8, 6, 3, 1), d.output = linear(DType::I32, 24, 12);
    put<int8_t>(0, {2, 3, 4, 11, 21, 31, -1, -2, -3, 101, 102, 103}); // one too many: zero point 1
  }
  std::vector<int32_t> reduce(uint8_t axis, uint16_t h, uint16_t w, uint16_t c) {
    shape(h, w, c);
    step.descriptor.axis = axis;
    return results<int32_t>(size_t(h) * w * c);
  }
};

TEST_F(Reduce, SumsOverAxes) {
  EXPECT_EQ(reduce(Axis::H, 1, 2, 3), (std::vector<int32_t>{-1, -1, -1, 110, 121, 132}));
  EXPECT_EQ(reduce(Axis::H | Axis::W, 1, 1, 3), (std::vector<int32_t>{109, 120, 131}));
  step.descriptor.output.rowStride = 8, step.descriptor.output.blockStride = 4;
  EXPECT_EQ(reduce(Axis::C, 2, 2, 1), (std::vector<int32_t>{6, 60, -9, 303}));
  EXPECT_EQ(reduce(Axis::H | Axis::W | Axis::C, 1, 1, 1), (std::vector<int32_t>{360}));
}

TEST_F(Reduce, SumsKeepTheOffsetExtremesDoNot) {
  step.descriptor.inputOffset = 10;
  EXPECT_EQ(reduce(Axis::H | Axis::W, 1, 1, 3), (std::vector<int32_t>{149, 160, 171}));
  step.descriptor.operation = VecOperation::MAX;
  EXPECT_EQ(reduce(Axis::H | Axis::W, 1, 1, 3), (std::vector<int32_t>{100, 101, 102}));
  step.descriptor.operation = VecOperation::MIN;
  EXPECT_EQ(reduce(Axis::H | Axis::W, 1, 1, 3), (std::vector<int32_t>{-2, -3, -4}));
  step.descriptor.clampMin = -3;
  EXPECT_EQ(reduce(Axis::H | Axis::W, 1, 1, 3), (std::vector<int32_t>{-2, -3, -3}));
}

TEST_F(Reduce, SumsWrap) {
  step.descriptor.a = linear(DType::I32, 24, 12);
  put<int32_t>(0, {INT32_MAX, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(reduce(Axis::H | Axis::W, 1, 1, 3), (std::vector<int32_t>{INT32_MIN, 0, 0}));
}

} // namespace
} // namespace tenon::simulator
