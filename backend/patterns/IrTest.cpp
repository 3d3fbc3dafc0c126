// SPDX-License-Identifier: Apache-2.0
// Folding of dimensions, by hand.
#include "backend/patterns/Ir.h"

#include <gtest/gtest.h>

namespace tenon::patterns {
namespace {

TEST(Fold, AmountsNeedOnesToTheLeft) {
  EXPECT_EQ(foldAmounts({0, 1, 2, 3}, {1, 4, 4, 4}), (std::array<int64_t, 3>{1, 2, 3}));
  EXPECT_EQ(foldAmounts({0, 1, 0, 0}, {2, 4, 4, 4}), std::nullopt);
  EXPECT_EQ(foldAmounts({1, 0, 0, 0}, {2, 4, 4, 4}), (std::array<int64_t, 3>{4, 0, 0}));
}

} // namespace
} // namespace tenon::patterns
