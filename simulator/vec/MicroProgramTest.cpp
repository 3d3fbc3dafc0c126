// SPDX-License-Identifier: Apache-2.0
// Each micro-op on values worked out by hand from the manual's words.
#include "simulator/vec/MicroProgram.h"

#include <gtest/gtest.h>

namespace tenon::simulator {
namespace {

using namespace mortise;
using Values = std::vector<int32_t>;

constexpr uint8_t kA = uint8_t(Source::A), kB = uint8_t(Source::B), kImm = uint8_t(Source::IMM);
constexpr int32_t kMin = INT32_MIN, kMax = INT32_MAX;

Values run(const std::vector<MicroOp> &program, const Values &a, const Values &b = {},
           size_t pixels = 1) {
  MicroMachine machine;
  const auto results =
      machine.run({&program, pixels, a.size() / pixels, a.data(), b.data(), 100, -7, nullptr, 0});
  return {results.begin(), results.end()};
}

Values unary(MicroOpcode op, const Values &a, int32_t immediate = 0, uint8_t option = 0) {
  return run({{op, 0, option, kA, 0, immediate}}, a);
}
Values binary(MicroOpcode op, const Values &a, const Values &b, uint8_t option = 0) {
  return run({{op, 0, option, kA, kB, 0}}, a, b);
}
/// RESCALE by multiplier / 2^shift.
Values rescale(const Values &a, int32_t multiplier, uint8_t shift, uint8_t option) {
  return run({{MicroOpcode::RESCALE, 0, option, kA, shift, multiplier}}, a);
}

TEST(MicroProgram, SumsAndProductsWrap) {
  EXPECT_EQ(binary(MicroOpcode::ADD, {1, kMax}, {2, 1}), (Values{3, kMin}));
  EXPECT_EQ(binary(MicroOpcode::SUB, {1, kMin}, {2, 1}), (Values{-1, kMax}));
  EXPECT_EQ(binary(MicroOpcode::MUL, {-3, 65536, 0x10001}, {5, 65536, 0x10001}),
            (Values{-15, 0, 0x20001}));
}

// gemmlowp: the rounded high half of twice the product; only min * min saturates.
TEST(MicroProgram, MultiplyHigh) {
  EXPECT_EQ(binary(MicroOpcode::MULH, {1 << 30, 1 << 30, -(1 << 30), kMin}, {1 << 30, 3, 3, kMin}),
            (Values{1 << 29, 2, -1, kMax})); // 1.5 and -1.5: ties go up
  EXPECT_EQ(binary(MicroOpcode::MULH, {kMin, kMax}, {kMax, kMax}), (Values{-kMax, kMax - 1}));
}

TEST(MicroProgram, Shifts) {
  EXPECT_EQ(binary(MicroOpcode::ASHR, {-5, 5, -5, 5, 7}, {1, 1, 0, 40, -1}),
            (Values{-3, 2, -5, 0, 7})); // amounts are clamped to 0..31
  EXPECT_EQ(
      binary(MicroOpcode::ASHR, {5, -5, 6, -6, 7, kMin}, {1, 1, 2, 2, 0, 31}, MicroOption::ROUND),
      (Values{3, -2, 2, -1, 7, -1})); // adds the last bit shifted out
  EXPECT_EQ(binary(MicroOpcode::LSHR, {-1, 8, -1}, {28, 2, 99}), (Values{15, 2, 1}));
  EXPECT_EQ(binary(MicroOpcode::SHL, {3, 1, 1, -1}, {2, 31, 32, 4}), (Values{12, kMin, kMin, -16}));
}

// v * 2^30 >> 31 is v / 2; SINGLE rounds ties up.
TEST(MicroProgram, RescaleSingle) {
  EXPECT_EQ(rescale({5, -5, 4, -4, 1, -1, 0}, 1 << 30, 31, 0), (Values{3, -2, 2, -2, 1, 0, 0}));
  EXPECT_EQ(rescale({10, -10, 9, -9, 11, -11}, 1 << 30, 32, 0), (Values{3, -2, 2, -2, 3, -3}));
  EXPECT_EQ(rescale({kMax, kMin, -123}, 1 << 30, 30, 0), (Values{kMax, kMin, -123}));
}

// DOUBLE at shifts past 31: 2^30 more for v >= 0, less for v < 0, which carries a tie away from
// zero: 10 / 4 = 2.5 and -10 / 4 = -2.5; 2^30 moves the quotient by 1/4.
TEST(MicroProgram, RescaleDouble) {
  EXPECT_EQ(rescale({10, -10, 9, -9, 11, -11}, 1 << 30, 32, MicroOption::DOUBLE),
            (Values{3, -3, 3, -2, 3, -3})); // 9 / 4 rounds twice: 4.5 to 5, 2.5 to 3
  EXPECT_EQ(rescale({5, -5}, 1 << 30, 31, MicroOption::DOUBLE), (Values{3, -2})) << "not past 31";
}

TEST(MicroProgram, RescaleShiftsOfNothingAndTooMuch) {
  EXPECT_EQ(rescale({7, -7}, 3, 0, 0), (Values{21, -21}));
  EXPECT_EQ(rescale({kMax}, 4, 0, 0), (Values{-4})) << "wraps to 32 bits";
  // From a register: 1000 is taken as 62. 2^31 * 2^31 / 2^62 = 1.
  EXPECT_EQ(run({{MicroOpcode::MOV, 3, 0, kImm, 0, 1000},
                 {MicroOpcode::RESCALE, 0, MicroOption::OPERANDS, kA, kB, 3}},
                {kMin}, {kMin}),
            (Values{1}));
}

TEST(MicroProgram, RescaleByOperands) {
  const std::vector<MicroOp> program = {
      {MicroOpcode::MOV, 2, 0, kImm, 0, 31},
      {MicroOpcode::RESCALE, 0, MicroOption::OPERANDS, kA, kB, 2}};
  EXPECT_EQ(run(program, {5, 6, -5}, {1 << 30, 1 << 29, 1 << 30}), (Values{3, 2, -2}));
}

TEST(MicroProgram, Bounds) {
  EXPECT_EQ(binary(MicroOpcode::MIN, {1, -1}, {0, 5}), (Values{0, -1}));
  EXPECT_EQ(binary(MicroOpcode::MAX, {1, -1}, {0, 5}), (Values{1, 5}));
  const int32_t bounds = int32_t(uint32_t(uint16_t(-100)) | uint32_t(90) << 16);
  EXPECT_EQ(unary(MicroOpcode::CLAMP, {-101, -100, 0, 90, 91}, bounds),
            (Values{-100, -100, 0, 90, 90}));
}

TEST(MicroProgram, OneOperand) {
  EXPECT_EQ(unary(MicroOpcode::ABS, {-5, 5, kMin}), (Values{5, 5, kMin}));
  EXPECT_EQ(unary(MicroOpcode::NEG, {-5, 5, kMin}), (Values{5, -5, kMin}));
  EXPECT_EQ(unary(MicroOpcode::CLZ, {0, 1, -1, 255}), (Values{32, 31, 0, 24}));
  EXPECT_EQ(unary(MicroOpcode::NOT, {0, -1, 5}), (Values{-1, 0, -6}));
  EXPECT_EQ(unary(MicroOpcode::CAST, {200, -129, 5}, int32_t(DType::I8)), (Values{-56, 127, 5}));
  EXPECT_EQ(unary(MicroOpcode::CAST, {-1, 256}, int32_t(DType::U8)), (Values{255, 0}));
  EXPECT_EQ(unary(MicroOpcode::CAST, {40000}, int32_t(DType::I16)), (Values{-25536}));
  EXPECT_EQ(unary(MicroOpcode::CAST, {kMin}, int32_t(DType::I32)), (Values{kMin}));
}

TEST(MicroProgram, LogicAndComparison) {
  EXPECT_EQ(binary(MicroOpcode::AND, {12, -1}, {10, 7}), (Values{8, 7}));
  EXPECT_EQ(binary(MicroOpcode::OR, {12}, {10}), (Values{14}));
  EXPECT_EQ(binary(MicroOpcode::XOR, {12}, {10}), (Values{6}));
  EXPECT_EQ(binary(MicroOpcode::EQ, {1, 2}, {1, 1}), (Values{1, 0}));
  EXPECT_EQ(binary(MicroOpcode::GE, {1, 0, -1}, {1, 1, -2}), (Values{1, 0, 1}));
  EXPECT_EQ(binary(MicroOpcode::GT, {1, 0, -1}, {1, 1, -2}), (Values{0, 0, 1}));
  EXPECT_EQ(run({{MicroOpcode::MOV, 4, 0, kImm, 0, 9}, {MicroOpcode::SEL, 0, 0, kA, kB, 4}},
                {1, 0, -1}, {5, 6, 7}),
            (Values{5, 9, 7}));
}

TEST(MicroProgram, SourcesAndRegisters) {
  const uint8_t imm0 = uint8_t(Source::IMM0), imm1 = uint8_t(Source::IMM1);
  EXPECT_EQ(run({{MicroOpcode::ADD, 0, 0, imm0, imm1, 0}}, {0, 0}), (Values{93, 93}));
  EXPECT_EQ(run({{MicroOpcode::ADD, 5, 0, 9, kA, 0}}, {4}), (Values{4})) << "registers begin at 0";
  // A destination may be its own source; the last destination is the result.
  EXPECT_EQ(run({{MicroOpcode::ADD, 1, 0, kA, kImm, 1},
                 {MicroOpcode::ADD, 1, 0, 1, 1, 0},
                 {MicroOpcode::SUB, 15, 0, 1, kA, 0}},
                {3}),
            (Values{5}));
}

TEST(MicroProgram, ReductionsStayInTheirPixel) {
  const Values a{1, 5, -3, 10, 20, 30}; // two pixels of three channels
  EXPECT_EQ(run({{MicroOpcode::RSUM, 0, 0, kA, 0, 0}}, a, {}, 2), (Values{3, 3, 3, 60, 60, 60}));
  EXPECT_EQ(run({{MicroOpcode::RMAX, 0, 0, kA, 0, 0}}, a, {}, 2), (Values{5, 5, 5, 30, 30, 30}));
  EXPECT_EQ(run({{MicroOpcode::RMIN, 0, 0, kA, 0, 0}}, a, {}, 2), (Values{-3, -3, -3, 10, 10, 10}));
  EXPECT_EQ(run({{MicroOpcode::RSUM, 0, 0, kA, 0, 0}}, {kMax, 1}), (Values{kMin, kMin}));
}

class Tables : public ::testing::Test {
protected:
  Bytes sram = Bytes(4096);

  template <typename T> void put(size_t at, T value) { std::memcpy(&sram[at], &value, sizeof(T)); }
  Values look(MicroOp op, const Values &a) {
    MicroMachine machine;
    const std::vector<MicroOp> program{op};
    const auto results =
        machine.run({&program, 1, a.size(), a.data(), nullptr, 0, 0, sram.data(), 64});
    return {results.begin(), results.end()};
  }
};

TEST_F(Tables, EntriesOfEverySize) {
  put<int8_t>(64 + 0, -9), put<int8_t>(64 + 128, 7), put<int8_t>(64 + 255, 100);
  EXPECT_EQ(look({MicroOpcode::LUT8, 0, 0, kA, 0, 0}, {-128, 0, 127, -1000, 1000}),
            (Values{-9, 7, 100, -9, 100}));
  put<int16_t>(64 + 32 + 2 * 129, -30000);
  EXPECT_EQ(look({MicroOpcode::LUT8, 0, 1, kA, 0, 32}, {1}), (Values{-30000}));
  put<int32_t>(64 - 64 + 4 * 130, kMin + 1);
  EXPECT_EQ(look({MicroOpcode::LUT8, 0, 2, kA, 0, -64}, {2}), (Values{kMin + 1}));
}

// t[256] = 10, t[257] = 20: 10 * 128 at 0, then 10 more a step.
TEST_F(Tables, Interpolation) {
  put<int16_t>(64, -5), put<int16_t>(66, -5);
  put<int16_t>(64 + 2 * 256, 10), put<int16_t>(64 + 2 * 257, 20);
  put<int16_t>(64 + 2 * 511, 1000), put<int16_t>(64 + 2 * 512, 1128);
  EXPECT_EQ(look({MicroOpcode::LUT16, 0, 0, kA, 0, 0}, {0, 1, 64, 127}),
            (Values{1280, 1290, 1920, 2550}));
  // 32767 = 511 * 128 + 127 less 32768; beyond it is clamped.
  EXPECT_EQ(look({MicroOpcode::LUT16, 0, 0, kA, 0, 0}, {32767, 99999, -32768, -99999}),
            (Values{128000 + 128 * 127, 128000 + 128 * 127, -640, -640}));
}

} // namespace
} // namespace tenon::simulator
