// SPDX-License-Identifier: Apache-2.0
// Convolutions small enough to be worked out by hand: windows, padding, dilation, channels, PPU.
#include "simulator/mac/MacEngine.h"

#include <gtest/gtest.h>

namespace tenon::simulator {
namespace {

using namespace mortise;
using Values = std::vector<int32_t>;

constexpr uint32_t kWeights = 1024, kTable = 3072, kOutput = 4096, kOperand = 5120, kLut = 6144;

/// One channel in, one out, 1 x 1, LINEAR, no rescaling, 32-bit results, unless a test says other.
class Mac : public ::testing::Test {
protected:
  Bytes sram = Bytes(8192);
  MacStep step;
  MacRun &run = step.run;
  MacDescriptor &d = step.descriptor;

  Mac() {
    run.weightAddress = kWeights, run.tableAddress = kTable;
    run.outputAddress = kOutput, run.operandAddress = kOperand;
    d.lutAddress = kLut;
    d.input.layout = d.output.layout = Layout::LINEAR;
    d.output.dtype = DType::I32;
    for (uint32_t o = 0; o < 64; ++o)
      channel(o, 0, 1 << 30, 30);
  }

  void channel(uint32_t o, int32_t bias, int32_t multiplier, uint8_t shift) {
    const auto bytes = encode(ChannelEntry{bias, 0, shift, multiplier});
    std::ranges::copy(bytes, &sram[kTable + o * 16]);
  }
  /// A dense row-major input of h x w pixels of c channels.
  void input(uint16_t h, uint16_t w, uint16_t c, const std::vector<int8_t> &values) {
    run.inRows = h, run.inCols = w, d.inputChannels = c;
    d.input.rowStride = w * c, d.input.blockStride = c;
    std::memcpy(sram.data(), values.data(), values.size());
  }
  void output(uint16_t h, uint16_t w, uint16_t c) {
    run.outH = h, run.outW = w, run.outC = c;
    d.output.rowStride = w * c * 4, d.output.blockStride = c * 4;
  }
  void kernel(uint8_t h, uint8_t w) { d.kernelH = h, d.kernelW = w; }
  void padding(uint8_t top, uint8_t left, uint8_t bottom, uint8_t right) {
    run.padTop = top, run.padLeft = left, run.padBottom = bottom, run.padRight = right;
  }
  /// Weight of output channel o < 16, tap and input channel c < 16 of a CONV.
  void weight(uint32_t o, uint32_t tap, uint32_t c, int8_t value) {
    sram[kWeights + tap * 256 + o * 16 + c] = uint8_t(value);
  }
  /// Weights of channel 0, tap by tap.
  void weights(const std::vector<int8_t> &taps) {
    for (uint32_t tap = 0; tap < taps.size(); ++tap)
      weight(0, tap, 0, taps[tap]);
  }
  template <typename T = int32_t> Values results(size_t count) {
    MacEngine().run(step, sram.data());
    std::vector<T> stored(count);
    std::memcpy(stored.data(), &sram[kOutput], count * sizeof(T));
    return {stored.begin(), stored.end()};
  }
};

TEST_F(Mac, WindowsAndPadding) {
  input(3, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  kernel(2, 2), weights({1, 10, 100, -1});
  output(2, 2, 1);
  EXPECT_EQ(results(4),
            (Values{1 + 20 + 400 - 5, 2 + 30 + 500 - 6, 4 + 50 + 700 - 8, 5 + 60 + 800 - 9}));
  padding(1, 1, 0, 0), d.strideH = d.strideW = 2;
  EXPECT_EQ(results(4), (Values{-1, 200 - 3, 40 - 7, 5 + 60 + 800 - 9}));
}

// What lies outside is the zero point, so it adds nothing; what lies inside loses it.
TEST_F(Mac, PaddingReadsTheZeroPoint) {
  input(1, 2, 1, {5, 7});
  d.input.zeroPoint = 3;
  kernel(1, 3), weights({1, 10, 100}), padding(0, 1, 0, 1);
  output(1, 2, 1);
  EXPECT_EQ(results(2), (Values{2 * 10 + 4 * 100, 2 + 4 * 10}));
}

TEST_F(Mac, UnsignedInputAndWeightZeroPoint) {
  input(1, 2, 1, {-1, 1}); // 255, 1 as U8
  d.input.dtype = DType::U8, d.input.zeroPoint = 128;
  weights({-128}), d.weightZeroPoint = 127;
  output(1, 2, 1);
  EXPECT_EQ(results(2), (Values{127 * -255, -127 * -255}));
}

TEST_F(Mac, Dilation) {
  input(3, 5, 1, {1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 6, 7, 8, 9, 10});
  kernel(2, 2), weights({1, 10, 100, -5}), d.dilationH = 2, d.dilationW = 3;
  output(1, 2, 1);
  EXPECT_EQ(results(2), (Values{1 + 40 + 600 - 45, 2 + 50 + 700 - 50}));
}

// 18 channels contract in two blocks; output channels differ in bias and scale.
TEST_F(Mac, ChannelsOfAllBlocks) {
  std::vector<int8_t> values(18);
  for (int c = 0; c < 18; ++c)
    values[c] = int8_t(c + 1);
  input(1, 1, 18, values), output(1, 1, 3);
  for (uint32_t c = 0; c < 16; ++c)
    weight(0, 0, c, 1), weight(1, 0, c, c == 15);
  weight(0, 1, 0, 1), weight(0, 1, 1, 1), weight(1, 1, 1, 2); // tap 1: channels 16 and 17
  weight(2, 1, 2, 77);                                        // no channel: its input is none
  channel(0, 0, 1 << 30, 31), channel(1, 8, 1 << 30, 30), channel(2, -4, 3 << 28, 30);
  EXPECT_EQ(results(3), (Values{86, 16 + 36 + 8, -3})); // 171 / 2 = 85.5
}

TEST_F(Mac, MoreChannelsThanTwoBricks) {
  input(1, 1, 1, {3}), output(1, 1, 40);
  Values expected;
  for (uint32_t o = 0; o < 40; ++o) {
    sram[kWeights + o / 16 * 256 + o % 16 * 16] = uint8_t(o);
    channel(o, int32_t(o) * 1000, 1 << 30, 30);
    expected.push_back(int32_t(o) * 1003);
  }
  EXPECT_EQ(results(40), expected);
}

// Fold contracts a row of kernel-x and channels: 2 x 3 of them in one group of 16.
TEST_F(Mac, Fold) {
  input(1, 3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  d.fold = 1, kernel(1, 2), output(1, 2, 1);
  for (uint32_t k = 0; k < 6; ++k)
    weight(0, 0, k, int8_t(k == 5 ? 10 : 1));
  for (uint32_t k = 6; k < 16; ++k)
    weight(0, 0, k, 99); // past the row: none of it counts
  EXPECT_EQ(results(2), (Values{15 + 60, 4 + 5 + 6 + 7 + 8 + 90}));
}

TEST_F(Mac, DepthwiseWithMultiplier) {
  d.mode = MacMode::DEPTHWISE, d.channelMultiplier = 2;
  input(1, 2, 2, {1, 2, 3, 4}), kernel(1, 2), output(1, 1, 4);
  for (uint32_t o = 0; o < 4; ++o)
    sram[kWeights + o] = uint8_t(o + 1), sram[kWeights + 16 + o] = 10;
  // Channels 0 and 1 read channel 0: 1 and 3; 2 and 3 read channel 1: 2 and 4.
  EXPECT_EQ(results(4), (Values{1 + 30, 2 + 30, 6 + 40, 8 + 40}));
}

// Channels 16 to 18 of a B16 tensor: the second block, at the view's block stride.
TEST_F(Mac, DepthwiseFromAFirstChannel) {
  d.mode = MacMode::DEPTHWISE, d.input = View{}, d.output = View{};
  d.inputChannels = 19, run.firstChannel = 16;
  output(1, 2, 3), run.inCols = 2, d.output.rowStride = 0;
  d.input.blockStride = d.output.blockStride = 64, d.output.zeroPoint = -1;
  for (uint32_t i = 0; i < 3; ++i) {
    sram[64 + i] = uint8_t(i + 1), sram[80 + i] = uint8_t(i + 11);
    sram[kWeights + i] = uint8_t(i + 2);
  }
  Values expected(32, -1); // ragged lanes get the view's zero point
  for (int i = 0; i < 3; ++i)
    expected[i] = (i + 1) * (i + 2), expected[16 + i] = (i + 11) * (i + 2);
  run.outputAddress = kOutput - 64;
  EXPECT_EQ(results<int8_t>(32), expected);
  EXPECT_EQ(sram[kOutput - 1], 0);
  EXPECT_EQ(sram[kOutput + 32], 0);
}

TEST_F(Mac, MatmulOfManyRows) {
  d.mode = MacMode::MATMUL;
  std::vector<int8_t> values(200);
  Values expected;
  for (int i = 0; i < 200; ++i)
    values[i] = int8_t(i - 100), expected.push_back((i - 100) * -7 + 5);
  input(100, 2, 1, values), output(100, 2, 1), weights({-7}), channel(0, 5, 1 << 30, 30);
  EXPECT_EQ(results(200), expected);
}

TEST_F(Mac, RescaleRoundsAsTheDescriptorSays) {
  input(1, 4, 1, {10, -10, 9, -9}), output(1, 4, 1), weights({1});
  channel(0, 0, 1 << 30, 32);
  d.rounding = Rounding::SINGLE;
  EXPECT_EQ(results(4), (Values{3, -2, 2, -2}));
  d.rounding = Rounding::DOUBLE;
  EXPECT_EQ(results(4), (Values{3, -3, 3, -2}));
}

TEST_F(Mac, AccumulatorsAndBiasWrap) {
  input(1, 1, 1, {1}), output(1, 1, 1), weights({1}), channel(0, INT32_MAX, 1 << 30, 30);
  EXPECT_EQ(results(1), (Values{INT32_MIN}));
}

TEST_F(Mac, ZeroPointClampsAndSaturation) {
  input(1, 4, 1, {-100, -10, 10, 100}), output(1, 4, 1), weights({2});
  d.zeroPointA = 5, d.clampAMin = -15, d.clampAMax = 190;
  EXPECT_EQ(results(4), (Values{-15, -15, 25, 190}));
  d.clampBMin = 0;
  d.output.dtype = DType::I8, d.output.rowStride = 4, d.output.blockStride = 1;
  EXPECT_EQ(results<int8_t>(4), (Values{0, 0, 25, 127}));
  d.output.dtype = DType::U8;
  EXPECT_EQ(results<uint8_t>(4), (Values{0, 0, 25, 190}));
}

/// Results 4, -6; operands 3 and 10 less zero point 1.
class Fused : public Mac {
protected:
  Fused() {
    input(1, 2, 1, {4, -6}), output(1, 2, 1), weights({1});
    d.operand.layout = Layout::LINEAR, d.operand.blockStride = 1, d.operand.zeroPoint = 1;
    sram[kOperand] = 3, sram[kOperand + 1] = 10;
    d.zeroPointA = 7; // comes off again
  }
  Values fused(Eltwise op) {
    d.eltwise = op;
    return results(2);
  }
};

TEST_F(Fused, EveryOperator) {
  EXPECT_EQ(fused(Eltwise::ADD), (Values{6, 3}));
  EXPECT_EQ(fused(Eltwise::SUB), (Values{2, -15}));
  EXPECT_EQ(fused(Eltwise::RSUB), (Values{-2, 15}));
  EXPECT_EQ(fused(Eltwise::MUL), (Values{8, -54}));
  EXPECT_EQ(fused(Eltwise::MAX), (Values{4, 9}));
  EXPECT_EQ(fused(Eltwise::MIN), (Values{2, -6}));
}

TEST_F(Fused, ClampAComesBeforeAndClampBBehind) {
  d.clampAMax = 10; // 4 + 7 = 11 becomes 10, that is 3
  EXPECT_EQ(fused(Eltwise::ADD), (Values{5, 3}));
  d.clampBMin = 4;
  EXPECT_EQ(fused(Eltwise::ADD), (Values{5, 4}));
}

// (4 << 3) / 2 + (2 << 3) * 3 / 4 = 28, over 4 = 7; (-48) / 2 + 72 * 3 / 4 = 30, 7.5.
TEST_F(Fused, ThreeRescales) {
  d.rounding = Rounding::SINGLE;
  d.inputLeftShift = 3;
  d.mainMultiplier = 1 << 30, d.mainShift = 31;
  d.operandMultiplier = 3 << 28, d.operandShift = 30;
  d.resultMultiplier = 1 << 28, d.resultShift = 30;
  EXPECT_EQ(fused(Eltwise::ADD), (Values{7, 8}));
}

TEST_F(Fused, OperandMayBeTheOutput) {
  d.output.dtype = DType::I8, d.output.rowStride = 2, d.output.blockStride = 1;
  run.operandAddress = kOutput;
  d.operand = d.output, d.operand.zeroPoint = 1, d.output.zeroPoint = 20;
  sram[kOutput] = 3, sram[kOutput + 1] = 10;
  d.eltwise = Eltwise::ADD;
  EXPECT_EQ(results<int8_t>(2), (Values{26, 23}));
}

TEST_F(Mac, TableComesLast) {
  input(1, 3, 1, {-128, 0, 127}), output(1, 3, 1), weights({1});
  d.output.dtype = DType::I8, d.output.rowStride = 3, d.output.blockStride = 1;
  d.lut = LutMode::TABLE8, d.clampBMin = -100, d.zeroPointA = 1;
  sram[kLut + 28] = 50, sram[kLut + 129] = uint8_t(-60), sram[kLut + 255] = 70;
  EXPECT_EQ(results<int8_t>(3), (Values{50, -60, 70})); // -100, 1, 128 taken as 127
  d.output.dtype = DType::U8, d.clampBMin = 0;
  sram[kLut] = 200, sram[kLut + 1] = 201, sram[kLut + 128] = 202;
  EXPECT_EQ(results<uint8_t>(3), (Values{200, 201, 202}));
}

TEST_F(Mac, RingsOfInputAndOutput) {
  input(3, 1, 1, {1, 2, 3}), output(2, 1, 1), kernel(2, 1), weights({1, 10});
  d.input.ringRows = 3, run.inputRow = 2;   // rows 3, 1, 2
  d.output.ringRows = 2, run.outputRow = 1; // lines 1, 0
  EXPECT_EQ(results(2), (Values{1 + 20, 3 + 10}));
}

} // namespace
} // namespace tenon::simulator
