// SPDX-License-Identifier: Apache-2.0
// Edges of claims, hand-worked.
#include "conform/Generate.h"

#include <gtest/gtest.h>

namespace tenon::conform {
namespace {

backend::Claim strideClaim() { return {"n.conv", "conv2d", "stride", 1, 4, {}, "n.conv.stride"}; }

std::vector<Trial> withPurpose(const Plan &plan, const std::string &purpose) {
  std::vector<Trial> found;
  for (const Trial &trial : plan.trials)
    if (trial.purpose == purpose)
      found.push_back(trial);
  return found;
}

TEST(Generate, TriesBothSidesOfAMaximum) {
  const Plan plan = planTrials({strideClaim()}, 0, 1);
  for (const char *axis : {"rows", "columns"}) {
    const std::string of = std::string(" of ") + axis;
    ASSERT_EQ(withPurpose(plan, "stride 3" + of + ", just inside").size(), 1u);
    const auto at = withPurpose(plan, "stride 4" + of + ", at the limit");
    const auto outside = withPurpose(plan, "stride 5" + of + ", just outside");
    ASSERT_EQ(at.size(), 1u);
    ASSERT_EQ(outside.size(), 1u);
    EXPECT_TRUE(at[0].taken);
    EXPECT_FALSE(outside[0].taken);
    EXPECT_EQ(outside[0].rules, std::set<std::string>{"n.conv.stride"});
  }
  EXPECT_TRUE(plan.untried.empty());
}

TEST(Generate, KeepsOtherLimitsAtAnEdge) {
  const backend::Claim kernel{"n.conv",  "conv2d", "kernel",       INT64_MIN,
                              INT64_MAX, {1, 3},   "n.conv.kernel"};
  for (const Trial &trial : planTrials({strideClaim(), kernel}, 5, 1).trials) {
    EXPECT_EQ(trial.taken, isWithin(kernel, trial.that) && isWithin(strideClaim(), trial.that));
    EXPECT_TRUE(isWithin(kernel, trial.that) || isWithin(strideClaim(), trial.that));
  }
}

TEST(Generate, TakesWhatAnotherRowOfTheOperationTakes) {
  backend::Claim wide = strideClaim();
  wide.composite = "n.wide", wide.rule = "n.wide.stride", wide.maximum = 8;
  const Plan plan = planTrials({strideClaim(), wide}, 0, 1);
  EXPECT_TRUE(withPurpose(plan, "stride 5 of rows, just outside").at(0).taken);
  EXPECT_FALSE(withPurpose(plan, "stride 9 of rows, just outside").at(0).taken);
}

TEST(Generate, NamesWhatItCannotTry) {
  const Plan plan = planTrials({{"n.conv", "conv2d", "phase", 0, 1, {}, "n.conv.phase"},
                                {"n.flip", "sign_flip", "", INT64_MIN, INT64_MAX, {}, ""}},
                               1, 1);
  ASSERT_EQ(plan.untried.size(), 2u);
  EXPECT_EQ(plan.untried[0].edge, "phase");
  EXPECT_EQ(plan.untried[1].composite, "n.flip");
}

TEST(Generate, DependsOnTheSeedAlone) {
  const auto text = [](uint64_t seed) {
    std::string all;
    for (const Trial &trial : planTrials({strideClaim()}, 6, seed).trials)
      all += describe(trial.that) + "\n";
    return all;
  };
  EXPECT_EQ(text(7), text(7));
  EXPECT_NE(text(7), text(8));
}

TEST(Case, CountsAsTflitePads) {
  Case that;
  that.operation = "conv2d", that.size = {5, 6}, that.kernel = {3, 3}, that.stride = {2, 2};
  that.samePadding = true; // 3 rows of 7 wanted: 1 + 1; 3 columns of 7 wanted: 0 + 1
  EXPECT_EQ(numbersOf(that, "output_size"), (std::vector<int64_t>{3, 3}));
  EXPECT_EQ(numbersOf(that, "padding"), (std::vector<int64_t>{1, 1, 0, 1}));
}

} // namespace
} // namespace tenon::conform
