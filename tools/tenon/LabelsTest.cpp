// SPDX-License-Identifier: Apache-2.0
#include "tools/tenon/Labels.h"

#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::cli;

namespace {

TEST(Labels, RanksTiesByClassAndUndoesQuantisation) {
  const std::string text = "none\r\ncat\ndog\nowl";
  auto labels = parseLabels(ByteSpan(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  Array output{package::ElementType::U8, {1, 4}, {10, 200, 40, 200}};
  auto top = topScores(output, 0.5, 10, labels, 3);
  ASSERT_TRUE(top) << top.error().message;
  EXPECT_EQ((*top)[0].label, "cat");
  EXPECT_EQ((*top)[0].value, 95);
  EXPECT_EQ((*top)[1].label, "owl");
  EXPECT_EQ((*top)[2].label, "dog");
}

TEST(Labels, WantsALineAClass) {
  Array output{package::ElementType::U8, {3}, {1, 2, 3}};
  EXPECT_EQ(topScores(output, 0, 0, {"a"}, 5).error().message,
            "1 labels, but the output has 3 values; give a file with a line a class");
}

} // namespace
