// SPDX-License-Identifier: Apache-2.0
// Rings and steps of cascades by hand, and plans that the verifier must refuse.
#include <algorithm>

#include <gtest/gtest.h>

#include "backend/mortise/plan/TileSteps.h"

namespace tenon::mortise {
namespace {

AxisMap window(uint32_t extent, uint32_t span, uint32_t stride, int64_t pad) {
  return {AxisMap::Kind::Window, extent, span, stride, pad};
}

TEST(RingRows, ByHand) {
  EXPECT_EQ(ringRowsOf(window(56, 3, 1, 1), 1, false), 3u); // 3x3: rows y-1, y, y+1
  EXPECT_EQ(ringRowsOf(window(56, 3, 1, 1), 4, false), 6u); // y-1 to y+4
  EXPECT_EQ(ringRowsOf(window(56, 3, 2, 1), 1, false), 3u); // 3x3, stride 2
  EXPECT_EQ(ringRowsOf(window(56, 3, 2, 1), 2, false), 5u); // 2y-1 to 2y+3
  EXPECT_EQ(ringRowsOf(window(56, 2, 2, 0), 1, false), 2u); // 2x2 pooling, stride 2
  EXPECT_EQ(ringRowsOf(window(56, 2, 2, 0), 1, true), 4u);  // the next two beside them
  EXPECT_EQ(ringRowsOf(window(56, 3, 2, 0), 1, true), 5u);  // 2y to 2y+2, then 2y+3, 2y+4
  EXPECT_EQ(ringRowsOf(window(56, 5, 1, 2), 1, false), 5u); // 3x3 dilated by 2: y-2 to y+2
  EXPECT_EQ(ringRowsOf(window(56, 1, 2, 0), 1, true), 3u);  // 2y, and 2y+2 with a gap between
  EXPECT_EQ(ringRowsOf(window(4, 3, 1, 1), 4, true), 4u);   // no more than there are
}

/// Two layers whose outputs have 6 rows, the second a 3x3 window of stride 1 over the first.
Plan pairOf(uint32_t ringRows, uint32_t stripe) {
  LayerPlan first, second;
  first.shape.out = second.shape.out = {6, 1, 16};
  first.shape.output.tensor = 1;
  const TensorUse read{1, 1, Layout::B16, 0, {window(6, 3, 1, 1), {}, AxisMap::same(16)}};
  second.shape.reads = {read};
  first.tiling.tile = second.tiling.tile = {stripe, 1, 16};
  first.handsTo = Handover{1, 0};
  second.buffers = {{BufferRole::Read, 0, uint64_t(ringRows) * 16, 1, ringRows, true}};
  return {{first, second}, {{{0, 1}}}};
}

TEST(Steps, RowsComeWhenTheyAreAskedFor) {
  const Plan plan = pairOf(3, 1);
  std::vector<std::pair<uint32_t, uint32_t>> order;
  std::vector<bool> last;
  for (const TileStep &step : stepsOf(plan, plan.segments[0]))
    order.emplace_back(step.layer, step.out[kRows].begin), last.push_back(step.last);
  const std::vector<std::pair<uint32_t, uint32_t>> expected = {{0, 0}, {0, 1}, {1, 0}, {0, 2},
                                                               {1, 1}, {0, 3}, {1, 2}, {0, 4},
                                                               {1, 3}, {0, 5}, {1, 4}, {1, 5}};
  EXPECT_EQ(order, expected);
  EXPECT_EQ(std::ranges::count(last, true), 2);
  EXPECT_TRUE(last[9] && last[11]);
}

TEST(VerifyPlan, ARingHoldsWhatIsRead) {
  EXPECT_TRUE(verifyPlan(pairOf(3, 1)));
  EXPECT_TRUE(verifyPlan(pairOf(4, 2)));
  auto small = verifyPlan(pairOf(2, 1));
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().message,
            "plan: layer 1: row 0 of its operand 0 is not in a ring of 2 rows");
  EXPECT_FALSE(verifyPlan(pairOf(3, 2)));
}

TEST(VerifyPlan, RingsHaveTheirBytesAndTheirWriter) {
  Plan narrow = pairOf(3, 1);
  narrow.layers[1].buffers[0].bytes = 32;
  EXPECT_EQ(verifyPlan(narrow).error().message,
            "plan: layer 1: 32 bytes do not hold 3 rows of its operand 0");
  Plan unfed = pairOf(3, 1);
  unfed.layers[1].buffers[0].handed = false;
  EXPECT_EQ(verifyPlan(unfed).error().message, "plan: layer 0 hands its output to no ring");
  Plan twice = pairOf(3, 1);
  twice.segments.push_back({{1}});
  EXPECT_EQ(verifyPlan(twice).error().message, "plan: layer 1 stands where layer 2 should");
}

} // namespace
} // namespace tenon::mortise
