// SPDX-License-Identifier: Apache-2.0
#include "planning/Candidates.h"

#include <gtest/gtest.h>

namespace tenon::planning {
namespace {

using List = std::vector<uint32_t>;

TEST(Candidates, RoughlyEqualParts) {
  EXPECT_EQ(tileExtents(12, 1, 65535), (List{12, 6, 4, 3, 2, 1}));
  EXPECT_EQ(tileExtents(1, 1, 65535), (List{1}));
}

TEST(Candidates, StepAndLimitHold) {
  EXPECT_EQ(tileExtents(40, 16, 65535), (List{40, 32, 16}));
  EXPECT_EQ(tileExtents(7, 16, 65535), (List{7}));
  for (uint32_t extent : tileExtents(200000, 64, 65535))
    EXPECT_TRUE(extent <= 65535 && extent % 64 == 0);
  EXPECT_EQ(tileExtents(200000, 64, 65535).back(), 64u);
}

} // namespace
} // namespace tenon::planning
