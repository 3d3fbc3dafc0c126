// SPDX-License-Identifier: Apache-2.0
// What stands at the network's edge, and what happens when a backend gives operators back.
#include "tests/partition/RunPackage.h"

namespace tenon::tests {
namespace {

using I32 = std::vector<int32_t>;

TEST(Edges, OutputsThatRepeatAreInputsOrConstants) {
  auto compiled = compileText(R"(
    func.func @main(%x: tensor<1x4xi32>) -> (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>) {
      %c = "tosa.const"() <{values = dense<[[1, 2, 3, 4]]> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
      %0 = tosa.add %x, %c : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
      return %0, %x, %c, %0 : tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>
    })",
                              "alpha:add");
  ASSERT_TRUE(compiled) << compiled.error().message;
  const Bytes x = bytesOf(I32{10, 20, 30, -40}), sum = bytesOf(I32{11, 22, 33, -36});
  EXPECT_EQ(runPackage(compiled->package, {x}),
            (std::vector<Bytes>{sum, x, bytesOf(I32{1, 2, 3, 4}), sum}));
}

TEST(Edges, PlansMemoryByLifetime) {
  auto compiled = compileText(R"(
    func.func @main(%x: tensor<64xi32>) -> tensor<64xi32> {
      %0 = tosa.abs %x : (tensor<64xi32>) -> tensor<64xi32>
      %1 = tosa.clz %0 : (tensor<64xi32>) -> tensor<64xi32>
      %2 = tosa.abs %1 : (tensor<64xi32>) -> tensor<64xi32>
      %3 = tosa.clz %2 : (tensor<64xi32>) -> tensor<64xi32>
      %4 = tosa.abs %3 : (tensor<64xi32>) -> tensor<64xi32>
      return %4 : tensor<64xi32>
    })",
                              "alpha:abs");
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_EQ(compiled->package.partitions.size(), 5u);
  // Four tensors between five steps, two of them alive at a time.
  EXPECT_EQ(compiled->package.arenaBytes, 512u);
  EXPECT_EQ(runPackage(compiled->package, {bytesOf(I32(64, -16))}),
            (std::vector<Bytes>{bytesOf(I32(64, 27))}));
}

constexpr const char *kThreeAdds = R"(
  func.func @main(%x: tensor<1x4xi32>) -> tensor<1x4xi32> {
    %0 = tosa.add %x, %x : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("a"("ADD":0:0))
    %1 = tosa.add %0, %0 : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("b"("ADD":1:0))
    %2 = tosa.add %1, %1 : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("c"("ADD":2:0))
    return %2 : tensor<1x4xi32>
  })";

void expectEight(const compiler::Compilation &compiled) {
  EXPECT_EQ(runPackage(compiled.package, {bytesOf(I32{1, 2, 3, -4})}),
            (std::vector<Bytes>{bytesOf(I32{8, 16, 24, -32})}));
}

TEST(GiveBack, SplitsARegionAndSaysWhy) {
  auto compiled = compileText(kThreeAdds, "alpha:add+limit=2");
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(targetsOf(compiled->report), (std::vector<std::string>{"alpha", "host"}));
  const partition::OperatorReport &last = compiled->report.operators.at(2);
  EXPECT_EQ(last.target, "host");
  ASSERT_EQ(last.refusals.size(), 1u);
  EXPECT_EQ(last.refusals[0].target, "alpha");
  EXPECT_EQ(last.refusals[0].refusal.rule, "alpha.limit");
  EXPECT_EQ(last.refusals[0].refusal.reason, "3 composites exceed 2");
  EXPECT_EQ(last.refusals[0].refusal.value, "3");
  EXPECT_TRUE(compiled->report.operators.at(1).refusals.empty());
  expectEight(*compiled);
}

TEST(GiveBack, GoesToTheNextTargetFirst) {
  auto compiled = compileText(kThreeAdds, "alpha:add+limit=1,beta:add+limit=1");
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(targetsOf(compiled->report), (std::vector<std::string>{"alpha", "beta", "host"}));
  expectEight(*compiled);
}

TEST(GiveBack, TakesAWholeRegionWhenNoOperatorIsNamed) {
  // The toy's machine has no clz: its compiler says so only when it meets one.
  auto compiled = compileText(R"(
    func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
      %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32> loc("a"("ABS":0:0))
      %1 = tosa.clz %0 : (tensor<4xi32>) -> tensor<4xi32> loc("b"("CLZ":1:0))
      return %1 : tensor<4xi32>
    })",
                              "alpha:abs+clz");
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(targetsOf(compiled->report), (std::vector<std::string>{"host"}));
  EXPECT_EQ(compiled->report.operators.at(0).refusals.at(0).refusal.reason, "tosa.clz: no command");
  EXPECT_EQ(runPackage(compiled->package, {bytesOf(I32{1, -2, 3, -256})}),
            (std::vector<Bytes>{bytesOf(I32{31, 30, 30, 23})}));
}

} // namespace
} // namespace tenon::tests
