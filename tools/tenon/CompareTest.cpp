// SPDX-License-Identifier: Apache-2.0
#include "tools/tenon/Compare.h"

#include "tools/tenon/Console.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::cli;
using package::ElementType;

namespace {

TEST(Compare, CountsDifferingElements) {
  Array a{ElementType::I8, {1, 4}, {1, 2, 3, 4}}, b{ElementType::I8, {4}, {1, 5, 3, 255}};
  auto difference = compareArrays(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->elements, 4u);
  EXPECT_EQ(difference->different, 2u);
  EXPECT_EQ(difference->first, 1u);
  EXPECT_EQ(difference->largest, 5);
}

TEST(Compare, TakesUint8AsInt8LessZeroPoint) {
  Array a{ElementType::I8, {2}, {0x80, 0x7F}}, b{ElementType::U8, {2}, {0, 255}};
  auto difference = compareArrays(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->different, 0u);
}

TEST(Compare, RefusesOtherTypesAndShapes) {
  Array a{ElementType::I8, {2}, {0, 0}}, b{ElementType::I16, {1}, {0, 0}};
  EXPECT_EQ(compareArrays(a, b).error().message, "int8[2] against int16[1]");
  Array c{ElementType::I8, {2, 1, 3}, Bytes(6)}, d{ElementType::I8, {3, 2}, Bytes(6)};
  EXPECT_FALSE(compareArrays(c, d));
}

TEST(Console, KeepsForeignNamesOnOneLine) {
  EXPECT_EQ(printable("a\nb\x1b[1m"), "a\\x0ab\\x1b[1m");
  EXPECT_EQ(printable("\xC3\xA4"), "\xC3\xA4");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");
  EXPECT_EQ(printable("\xFF"), "\\xff");
}

TEST(Console, AlignsColumns) {
  EXPECT_EQ(formatTable({{"a", "bb"}, {"ccc", "d"}}), "a    bb\nccc  d\n");
}

} // namespace
