// SPDX-License-Identifier: Apache-2.0
// Pictures as inputs: a 2 x 2 picture written by hand.
#include "tools/tenon/Image.h"

#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::cli;
using package::ElementType;

namespace {

/// A BMP file of 24 bits a pixel: header, then \p rows from the bottom, blue first, padded to 4.
Bytes bitmap(uint32_t width, uint32_t height, const std::vector<uint8_t> &rows) {
  Bytes bytes = {'B', 'M'};
  for (uint32_t word : {54u, 0u, 54u, 40u, width, height})
    append(bytes, word);
  append(bytes, uint16_t(1));
  append(bytes, uint16_t(24));
  bytes.resize(54);
  bytes.insert(bytes.end(), rows.begin(), rows.end());
  return bytes;
}

/// Red, green over blue, white.
Bytes picture() {
  return bitmap(2, 2, {255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0});
}

TEST(Image, KeepsPixelsAtItsOwnSize) {
  auto array = imageAsInput(picture(), ElementType::U8, {1, 2, 2, 3});
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->data, Bytes({255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}));
}

TEST(Image, CastsToTheInputsType) {
  auto i8 = imageAsInput(picture(), ElementType::I8, {2, 2, 3});
  ASSERT_TRUE(i8);
  EXPECT_EQ(valueAt(*i8, 0), 127);
  EXPECT_EQ(valueAt(*i8, 1), -128);
  auto f32 = imageAsInput(picture(), ElementType::F32, {1, 2, 2, 3});
  ASSERT_TRUE(f32);
  EXPECT_EQ(valueAt(*f32, 0), 255.0);
}

TEST(Image, AveragesWhenItShrinks) {
  auto array = imageAsInput(picture(), ElementType::U8, {1, 1, 1, 3});
  ASSERT_TRUE(array);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(valueAt(*array, i), 127.5, 1);
}

TEST(Image, SaysWhatItCannotFill) {
  EXPECT_EQ(imageAsInput(picture(), ElementType::U8, {1, 640}).error().message,
            "a picture fills only [1,H,W,1] and [1,H,W,3], the input is uint8[1,640]; give an "
            ".npy file");
  EXPECT_FALSE(imageAsInput(picture(), ElementType::I64, {1, 2, 2, 3}));
  EXPECT_FALSE(imageAsInput(Bytes{1, 2, 3}, ElementType::U8, {1, 2, 2, 3}));
  const Bytes huge = bitmap(16000, 16000, {});
  EXPECT_FALSE(imageAsInput(huge, ElementType::U8, {1, 2, 2, 3}));
}

} // namespace
