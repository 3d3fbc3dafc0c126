// SPDX-License-Identifier: Apache-2.0
// Every mode of transfer on a few bytes, and that what is touched is what was declared.
#include "simulator/dma/Transfer.h"

#include <numeric>

#include <gtest/gtest.h>

#include "simulator/program/Touch.h"

namespace tenon::simulator {
namespace {

using namespace mortise;

class Dmas : public ::testing::Test {
protected:
  Bytes sram = Bytes(512, 0xee), dram = Bytes(256);

  Dmas() { std::iota(dram.begin(), dram.end(), uint8_t(0)); }

  void run(const Dma &dma, bool fill = false) {
    transfer(DmaStep{fill, dma}, sram.data(), dram.data());
  }
  Bytes at(size_t from, size_t count) const {
    return {sram.begin() + ptrdiff_t(from), sram.begin() + ptrdiff_t(from + count)};
  }
};

TEST_F(Dmas, LinearLoadWithStridesAndPadding) {
  // Two rows of two items of two bytes, padded by one before and two behind.
  run({.sramAddress = 16,
       .dramOffset = 100,
       .n0 = 2,
       .n1 = 2,
       .n2 = 2,
       .dramStride1 = 10,
       .dramStride2 = 50,
       .sramStride1 = 5,
       .sramStride2 = 12,
       .padValue = -1,
       .padBefore = 1,
       .padAfter = 2});
  EXPECT_EQ(at(15, 24), (Bytes{0xee, 255, 100, 101, 255, 255, 255, 110, 111, 255, 255, 0xee,
                               0xee, 255, 150, 151, 255, 255, 255, 160, 161, 255, 255, 0xee}));
}

TEST_F(Dmas, LinearStore) {
  for (size_t i = 0; i < 16; ++i)
    sram[i] = uint8_t(200 + i);
  run({.mode = DmaMode::STORE_LINEAR,
       .sramAddress = 0,
       .dramOffset = 8,
       .n0 = 2,
       .n1 = 2,
       .n2 = 2,
       .dramStride1 = 3,
       .dramStride2 = 8,
       .sramStride1 = 4,
       .sramStride2 = 8});
  EXPECT_EQ(Bytes(dram.begin() + 7, dram.begin() + 22),
            (Bytes{7, 200, 201, 10, 204, 205, 13, 14, 15, 208, 209, 18, 212, 213, 21}));
}

TEST_F(Dmas, RingsWrapInSramOnly) {
  run({.sramAddress = 0,
       .n0 = 1,
       .n2 = 3,
       .dramStride2 = 1,
       .sramStride2 = 4,
       .ringRows = 3,
       .firstRow = 5}); // lines 2, 0, 1
  EXPECT_EQ((Bytes{sram[8], sram[0], sram[4]}), (Bytes{0, 1, 2}));
}

TEST_F(Dmas, NhwcToBlocks) {
  // A row of two pixels of 18 channels with a column of padding on each side: two blocks of four
  // columns.
  run({.mode = DmaMode::NHWC_TO_B16,
       .sramAddress = 0,
       .n0 = 18,
       .n1 = 2,
       .dramStride1 = 20,
       .sramStride1 = 64,
       .padValue = 7,
       .padBefore = 1,
       .padAfter = 1});
  Bytes expected(128, 7);
  for (uint8_t pixel = 0; pixel < 2; ++pixel)
    for (uint8_t c = 0; c < 18; ++c)
      expected[c / 16 * 64 + (pixel + 1) * 16 + c % 16] = uint8_t(pixel * 20 + c);
  EXPECT_EQ(at(0, 128), expected);
  EXPECT_EQ(sram[128], 0xee);
}

TEST_F(Dmas, ConcatenationBeginsAtALane) {
  run({.mode = DmaMode::NHWC_TO_B16,
       .sramAddress = 64 + 14,
       .n0 = 4,
       .sramStride1 = 16,
       .padValue = 7});
  EXPECT_EQ(at(64 + 12, 4), (Bytes{0xee, 0xee, 0, 1}));
  EXPECT_EQ(at(80, 16), (Bytes{2, 3, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}));
}

TEST_F(Dmas, BlocksToNhwc) {
  for (size_t i = 0; i < 96; ++i)
    sram[i] = uint8_t(i);
  // Three channels of two pixels from lane 15 of the first block on.
  run({.mode = DmaMode::B16_TO_NHWC,
       .sramAddress = 15,
       .dramOffset = 200,
       .n0 = 3,
       .n1 = 2,
       .dramStride1 = 4,
       .sramStride1 = 32});
  EXPECT_EQ(Bytes(dram.begin() + 200, dram.begin() + 208),
            (Bytes{15, 32, 33, 203, 31, 48, 49, 207}));
}

TEST_F(Dmas, WideElements) {
  run({.mode = DmaMode::NHWC_TO_B16,
       .elementSize = 2,
       .sramAddress = 32,
       .n0 = 4,
       .sramStride1 = 32,
       .padValue = -2});
  EXPECT_EQ(at(32, 6), (Bytes{0, 1, 2, 3, 0xfe, 0xff}));
  EXPECT_EQ(at(62, 2), (Bytes{0xfe, 0xff}));
  run({.elementSize = 4, .sramAddress = 128, .n0 = 8, .padValue = -2}, true);
  EXPECT_EQ(at(128, 9), (Bytes{0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xee}));
}

TEST_F(Dmas, FillsOfBothMemories) {
  run({.sramAddress = 4, .n0 = 2, .n1 = 2, .sramStride1 = 3, .padValue = 9}, true);
  EXPECT_EQ(at(3, 7), (Bytes{0xee, 9, 9, 0xee, 9, 9, 0xee}));
  run({.mode = DmaMode::STORE_LINEAR, .elementSize = 2, .dramOffset = 10, .n0 = 4, .padValue = 258},
      true);
  EXPECT_EQ(Bytes(dram.begin() + 9, dram.begin() + 15), (Bytes{9, 2, 1, 2, 1, 14}));
}

/// Bytes in \p touches of SRAM that are written.
std::vector<bool> declared(const std::vector<Touch> &touches, size_t size) {
  std::vector<bool> bytes(size);
  for (const Touch &t : touches)
    for (uint64_t k = 0; t.write && t.space == kSramSpace && k < t.count[2]; ++k)
      for (uint64_t j = 0; j < t.count[1]; ++j)
        for (uint64_t i = 0; i < t.count[0]; ++i)
          for (uint64_t at = 0; at < t.run; ++at)
            bytes.at(t.begin + i * t.stride[0] + j * t.stride[1] + k * t.stride[2] + at) = true;
  return bytes;
}

// Which bytes change from 0xee when nothing of that value is moved, against the declared ones.
TEST_F(Dmas, DeclaredBytesAreWrittenBytes) {
  const Dma shapes[] = {
      {.mode = DmaMode::NHWC_TO_B16,
       .n0 = 18,
       .n1 = 2,
       .n2 = 2,
       .dramStride1 = 18,
       .sramStride1 = 64,
       .sramStride2 = 192,
       .ringRows = 2,
       .firstRow = 3,
       .padBefore = 1,
       .padAfter = 1},
      {.mode = DmaMode::NHWC_TO_B16, .sramAddress = 5, .n0 = 40, .n1 = 3, .sramStride1 = 64},
      {.mode = DmaMode::NHWC_TO_B16, .sramAddress = 3, .n0 = 5, .n1 = 0, .padBefore = 2},
      {.mode = DmaMode::NHWC_TO_B16, .elementSize = 4, .sramAddress = 64, .n0 = 8, .n1 = 3},
      {.sramAddress = 7,
       .n0 = 5,
       .n1 = 3,
       .n2 = 2,
       .dramStride1 = 1,
       .sramStride1 = 9,
       .sramStride2 = 40,
       .padBefore = 2,
       .padAfter = 1},
      {.sramAddress = 7, .n0 = 5, .n1 = 0, .padBefore = 2},
      {.sramAddress = 7, .n0 = 0, .n1 = 3, .sramStride1 = 5, .padBefore = 2},
      {.sramAddress = 0, .n0 = 8, .n1 = 4, .sramStride1 = 4}, // overlapping
  };
  for (const Dma &dma : shapes) {
    sram.assign(512, 0xee);
    run(dma);
    std::vector<bool> written(512);
    for (size_t i = 0; i < 512; ++i)
      written[i] = sram[i] != 0xee;
    EXPECT_EQ(written, declared(touchesOf({{}, DmaStep{false, dma}}), 512)) << &dma - shapes;
  }
}

} // namespace
} // namespace tenon::simulator
