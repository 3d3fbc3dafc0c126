// SPDX-License-Identifier: Apache-2.0
// Hand-placed blocks, and random ones through the verifier.
#include "planning/Allocation.h"

#include <random>

#include <gtest/gtest.h>

namespace tenon::planning {
namespace {

TEST(Allocation, BlocksThatNeverMeetShareBytes) {
  const AllocationProblem problem{{{100, 0, 1}, {60, 1, 2}, {100, 2, 3}}, 64};
  const Allocation allocation = allocateFirstFit(problem);
  EXPECT_EQ(allocation.offsets, (std::vector<uint64_t>{0, 128, 0}));
  EXPECT_EQ(allocation.sizeBytes, 188u);
  EXPECT_TRUE(verify(problem, allocation));
}

TEST(Allocation, AGapIsFilled) {
  // The largest lies lowest; 64 fits behind it only after 128 was placed there for other steps.
  const AllocationProblem problem{{{256, 0, 9}, {128, 0, 4}, {64, 5, 9}, {64, 0, 9}}, 64};
  const Allocation allocation = allocateFirstFit(problem);
  EXPECT_EQ(allocation.offsets, (std::vector<uint64_t>{0, 256, 256, 384}));
}

TEST(Allocation, TheVerifierNamesWhatIsWrong) {
  const AllocationProblem problem{{{64, 0, 1}, {64, 1, 2}}, 64};
  EXPECT_EQ(verify(problem, {{0, 0}, 64}).error().message, "blocks 0 and 1 overlap");
  EXPECT_EQ(verify(problem, {{0, 8}, 128}).error().message,
            "block 1: offset 8 is no multiple of 64");
  EXPECT_EQ(verify(problem, {{0, 64}, 100}).error().message, "block 1: end 128 exceeds 100");
  EXPECT_EQ(verify(problem, {{0}, 100}).error().message, "1 offsets for 2 blocks");
}

TEST(Allocation, RandomProblemsVerify) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    AllocationProblem problem;
    for (uint32_t i = 0; i < 30; ++i) {
      const uint32_t first = random() % 20;
      problem.blocks.push_back({random() % 1000, first, first + uint32_t(random() % 8)});
    }
    auto ok = verify(problem, allocateFirstFit(problem));
    EXPECT_TRUE(ok) << ok.error().message;
  }
}

} // namespace
} // namespace tenon::planning
