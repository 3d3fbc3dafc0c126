// SPDX-License-Identifier: Apache-2.0
// Graphs cut between three processors compute what one alone does.
#include "tests/partition/RunPackage.h"

namespace tenon::tests {
namespace {

using Targets = std::vector<std::string>;

/// Alpha adds, beta pools, the host inverts; two outputs, one used on the way.
constexpr const char *kThreeWays = R"(
func.func @main(%x: tensor<1x4x4x2xi8> {tenon.name = "x", tenon.element = "int8"})
    -> (tensor<1x2x2x2xi8> {tenon.name = "r"}, tensor<1x4x4x2xi8> {tenon.name = "s"}) {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %k = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %not = tosa.bitwise_not %x : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> loc("n"("NOT":0:0))
  %a = tosa.rescale %x, %m, %one, %z8, %z32 {input_unsigned = false, output_unsigned = false,
      per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
      : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>)
      -> tensor<1x4x4x2xi32> loc("sum"("ADD":1:0))
  %b = tosa.rescale %not, %m, %k, %z8, %z32 {input_unsigned = false, output_unsigned = false,
      per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
      : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>)
      -> tensor<1x4x4x2xi32> loc("sum"("ADD":1:0))
  %c = tosa.add %a, %b : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
      loc("sum"("ADD":1:0))
  %sum = tosa.rescale %c, %m, %one, %z32, %z8 {input_unsigned = false, output_unsigned = false,
      per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
      : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>)
      -> tensor<1x4x4x2xi8> loc("sum"("ADD":1:0))
  %pool = tosa.max_pool2d %sum {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>,
      pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
      loc("pool"("MAX_POOL_2D":2:0))
  %r = tosa.bitwise_not %pool : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xi8> loc("r"("NOT":3:0))
  return %r, %sum : tensor<1x2x2x2xi8>, tensor<1x4x4x2xi8>
})";

std::vector<Bytes> someInput() {
  std::vector<int8_t> x(32);
  for (int i = 0; i < 32; ++i)
    x[i] = int8_t(i * 37 - 128);
  return {bytesOf(x)};
}

/// x + ~x / 2 rounded up on ties, by hand.
std::vector<Bytes> expected(const Bytes &input) {
  std::vector<int8_t> sum(32), r(8, 127);
  for (int i = 0; i < 32; ++i) {
    const int x = (int(input[i]) ^ 128) - 128, inverse = ~x;
    sum[i] = int8_t(std::min(127, std::max(-128, x + ((inverse + 1) >> 1))));
  }
  for (int i = 0; i < 32; ++i) {
    const int y = i / 8, x = i / 2 % 4, c = i % 2;
    int8_t &out = r[(y / 2 * 2 + x / 2) * 2 + c];
    out = std::min<int8_t>(out, int8_t(~sum[i]));
  }
  return {bytesOf(r), bytesOf(sum)};
}

void expectRuns(const std::string &targets, const Targets &schedule) {
  auto compiled = compileText(kThreeWays, targets);
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(targetsOf(compiled->report), schedule);
  const auto inputs = someInput();
  EXPECT_EQ(runPackage(compiled->package, inputs), expected(inputs.front())) << targets;
}

TEST(Split, HostAlone) { expectRuns("host", {"host"}); }

TEST(Split, ThreeWays) {
  expectRuns("alpha:ADD,beta:MAX_POOL_2D,host", {"host", "alpha", "beta", "host"});
}

TEST(Split, FourWays) {
  expectRuns("alpha:ADD,beta:MAX_POOL_2D,gamma:NOT", {"gamma", "alpha", "beta", "gamma"});
}

TEST(Split, ChainsOnOneTarget) { expectRuns("gamma:bitwise_not+ADD+max_pool2d", {"gamma"}); }

TEST(Split, MakesTheSameBytesTwice) {
  auto once = compileText(kThreeWays, "alpha:ADD,beta:MAX_POOL_2D");
  auto again = compileText(kThreeWays, "alpha:ADD,beta:MAX_POOL_2D");
  ASSERT_TRUE(once && again);
  EXPECT_EQ(*package::write(once->package), *package::write(again->package));
}

TEST(Split, ExposesTensorsBetweenComposites) {
  auto compiled = compileText(kThreeWays, "alpha:ADD,beta:MAX_POOL_2D", true);
  ASSERT_TRUE(compiled) << compiled.error().message;
  const package::Package &package = compiled->package;
  Targets names;
  for (uint32_t output : package.outputs)
    names.push_back(package.tensors[output].name);
  // "s" is the model's own output "sum".
  EXPECT_EQ(names, (Targets{"r", "s", "n", "pool"}));
  const auto inputs = someInput();
  auto outputs = runPackage(package, inputs), right = expected(inputs.front());
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_EQ(outputs[1], right[1]);
  for (size_t i = 0; i < 32; ++i)
    EXPECT_EQ(outputs[2][i], uint8_t(~inputs.front()[i]));
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(outputs[3][i], uint8_t(~right[0][i]));
}

} // namespace
} // namespace tenon::tests
