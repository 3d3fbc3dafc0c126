// SPDX-License-Identifier: Apache-2.0
// Pictures as inputs: a 2 x 2 picture written by hand.
#include "tools/tenon/Image.h"

#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::cli;
using package::ElementType;

namespace {

/// Red, green over blue, white.
Bytes picture() {
  Bytes bytes;
  for (char c : std::string("P6 2 2 255\n"))
    bytes.push_back(uint8_t(c));
  for (int value : {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255})
    bytes.push_back(uint8_t(value));
  return bytes;
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
  Bytes huge;
  for (char c : std::string("P6 16000 16000 255\n"))
    huge.push_back(uint8_t(c));
  EXPECT_FALSE(imageAsInput(huge, ElementType::U8, {1, 2, 2, 3}));
}

} // namespace
