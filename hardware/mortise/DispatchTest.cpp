// SPDX-License-Identifier: Apache-2.0
// Waits as the command processor unwraps them, and which operands a micro-op reads.
#include "hardware/mortise/Dispatch.h"

#include <gtest/gtest.h>

namespace tenon::mortise {
namespace {

Header headerOf(Engine engine, std::array<uint16_t, 5> wait = {}) {
  return {Opcode::DMA_COPY, engine, 0, wait, 0};
}

TEST(Dispatch, CountsByEngine) {
  Dispatch dispatch;
  EXPECT_EQ(*dispatch.next(headerOf(Engine::LD)), EngineCounts{});
  EXPECT_EQ(*dispatch.next(headerOf(Engine::MAC, {1, 0, 0, 0, 0})), (EngineCounts{1, 0, 0, 0, 0}));
  EXPECT_EQ(*dispatch.next(headerOf(Engine::LD, {1, 0, 0, 1, 0})), (EngineCounts{1, 0, 0, 1, 0}));
  EXPECT_EQ(dispatch.issued(), (EngineCounts{2, 0, 0, 1, 0}));
  ASSERT_TRUE(dispatch.next(headerOf(Engine::CP, {2, 0, 0, 1, 0})));
  EXPECT_EQ(dispatch.issued(), (EngineCounts{2, 0, 0, 1, 0})) << "the CP has no count";
}

TEST(Dispatch, RefusesForwardWaitsAndNamesTheByte) {
  Dispatch dispatch;
  const auto waits = dispatch.next(headerOf(Engine::LD, {0, 0, 1, 0, 0}));
  ASSERT_FALSE(waits);
  EXPECT_EQ(waits.error().code, FaultCode::WAIT_FORWARD);
  EXPECT_EQ(waits.error().offset, 8u);
  EXPECT_EQ(dispatch.issued(), EngineCounts{}) << "what is refused is not issued";
}

TEST(Dispatch, UnwrapsSixteenBits) {
  Dispatch dispatch;
  for (uint32_t i = 0; i < 70000; ++i)
    ASSERT_TRUE(dispatch.next(headerOf(Engine::LD, {uint16_t(i), 0, 0, 0, 0}))) << i;
  const auto waitFor = [&](uint64_t count) {
    return dispatch.next(headerOf(Engine::CP, {uint16_t(count), 0, 0, 0, 0}));
  };
  EXPECT_EQ(waitFor(70000)->at(0), 70000u);
  EXPECT_EQ(waitFor(69000)->at(0), 69000u);
  EXPECT_EQ(waitFor(70000 - 32767)->at(0), 70000u - 32767);
  // One more command back reads as ahead: int16(70000 - n) is negative.
  EXPECT_FALSE(waitFor(70000 - 32768));
  EXPECT_FALSE(waitFor(70001));
}

/// Far from the begin a count of 0 would be a forward one; near it, one from before it.
TEST(Dispatch, CountsBeforeTheFirstCommandAreZero) {
  Dispatch dispatch;
  ASSERT_TRUE(dispatch.next(headerOf(Engine::LD)));
  const auto waits = dispatch.next(headerOf(Engine::CP, {uint16_t(-5), 0, 0, 0, 0}));
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->at(0), 0u);
}

constexpr uint8_t kA = uint8_t(Source::A), kB = uint8_t(Source::B);

bool readsB(const MicroOp &op) { return readsSource({op}, Source::B); }

TEST(ReadsSource, FirstAndSecond) {
  EXPECT_TRUE(readsSource({{MicroOpcode::MOV, 0, 0, kA, 0, 0}}, Source::A));
  EXPECT_FALSE(readsB({MicroOpcode::MOV, 0, 0, kA, kB, 0})) << "MOV has one source";
  EXPECT_TRUE(readsB({MicroOpcode::MOV, 0, 0, kB, 0, 0}));
  EXPECT_TRUE(readsB({MicroOpcode::ADD, 0, 0, kA, kB, 0}));
  for (MicroOpcode code :
       {MicroOpcode::CLAMP, MicroOpcode::ABS, MicroOpcode::NEG, MicroOpcode::CLZ, MicroOpcode::NOT,
        MicroOpcode::LUT8, MicroOpcode::LUT16, MicroOpcode::RSUM, MicroOpcode::RMAX,
        MicroOpcode::RMIN, MicroOpcode::CAST})
    EXPECT_FALSE(readsB({code, 0, 0, kA, kB, kB})) << nameOf(code);
  for (MicroOpcode code :
       {MicroOpcode::SUB, MicroOpcode::MUL, MicroOpcode::MULH, MicroOpcode::ASHR, MicroOpcode::LSHR,
        MicroOpcode::SHL, MicroOpcode::MIN, MicroOpcode::MAX, MicroOpcode::AND, MicroOpcode::OR,
        MicroOpcode::XOR, MicroOpcode::EQ, MicroOpcode::GE, MicroOpcode::GT})
    EXPECT_TRUE(readsB({code, 0, 0, kA, kB, 0})) << nameOf(code);
}

TEST(ReadsSource, Third) {
  EXPECT_TRUE(readsB({MicroOpcode::SEL, 0, 0, kA, kA, kB}));
  EXPECT_TRUE(readsB({MicroOpcode::SEL, 0, 0, kA, kA, 0x100 | kB})) << "the low byte counts";
  EXPECT_FALSE(readsB({MicroOpcode::ADD, 0, 0, kA, kA, kB})) << "a value, not a source";
  EXPECT_TRUE(readsB({MicroOpcode::RESCALE, 0, MicroOption::OPERANDS, kA, kA, kB}));
  EXPECT_FALSE(readsB({MicroOpcode::RESCALE, 0, 0, kA, kB, 1 << 30})) << "17 is a shift";
  EXPECT_FALSE(readsSource({}, Source::A));
}

TEST(Dispatch, SizesAndDirections) {
  EXPECT_EQ(bytesOf(DType::I8), 1u);
  EXPECT_EQ(bytesOf(DType::U8), 1u);
  EXPECT_EQ(bytesOf(DType::I16), 2u);
  EXPECT_EQ(bytesOf(DType::I32), 4u);
  EXPECT_TRUE(isStore(DmaMode::STORE_LINEAR) && isStore(DmaMode::B16_TO_NHWC));
  EXPECT_FALSE(isStore(DmaMode::LOAD_LINEAR) || isStore(DmaMode::NHWC_TO_B16));
}

} // namespace
} // namespace tenon::mortise
