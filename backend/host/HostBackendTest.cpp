// SPDX-License-Identifier: Apache-2.0
// The host backend as the compiler sees it: entries, edges, determinism, refusals.
#include <gtest/gtest.h>

#include <elf.h>

#include "backend/host/HostTestSupport.h"

namespace tenon::host {
namespace {

using I8 = std::vector<int8_t>;

TEST(HostBackend, AddsAndReturnsTwoOutputs) {
  LoadedModule module(R"(
    func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
      %sum = tosa.add %a, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %difference = tosa.sub %sum, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      return %sum, %difference : tensor<4xi32>, tensor<4xi32>
    })");
  ASSERT_TRUE(module.load()) << module.error();
  const std::vector<int32_t> a = {1, -2, 3, 1000000}, b = {10, 20, -30, 1};
  std::vector<int32_t> sum(4), difference(4);
  ASSERT_EQ(module.call("f", {a.data(), b.data()}, {sum.data(), difference.data()}), 0);
  EXPECT_EQ(sum, (std::vector<int32_t>{11, 18, -27, 1000001}));
  EXPECT_EQ(difference, a);
}

TEST(HostBackend, ReturnsAnInputAndAConstant) {
  LoadedModule module(R"(
    func.func @f(%a: tensor<3xi8>) -> (tensor<3xi8>, tensor<2xi8>, tensor<3xi8>) {
      %c = "tosa.const"() <{values = dense<[5, -6]> : tensor<2xi8>}> : () -> tensor<2xi8>
      return %a, %c, %a : tensor<3xi8>, tensor<2xi8>, tensor<3xi8>
    })");
  ASSERT_TRUE(module.load()) << module.error();
  const I8 a = {7, 8, -9};
  I8 first(3), constant(2), again(3);
  ASSERT_EQ(module.call("f", {a.data()}, {first.data(), constant.data(), again.data()}), 0);
  EXPECT_EQ(first, a);
  EXPECT_EQ(again, a);
  EXPECT_EQ(constant, (I8{5, -6}));
}

TEST(HostBackend, KeepsFunctionsApart) {
  LoadedModule module(R"(
    func.func @one(%a: tensor<2xi8>) -> tensor<2xi8> {
      %r = tosa.abs %a : (tensor<2xi8>) -> tensor<2xi8>
      return %r : tensor<2xi8>
    }
    func.func @two(%a: tensor<2xi8>) -> tensor<2xi8> {
      %r = tosa.bitwise_not %a : (tensor<2xi8>) -> tensor<2xi8>
      return %r : tensor<2xi8>
    })");
  ASSERT_TRUE(module.load()) << module.error();
  const I8 a = {-3, 4};
  I8 r(2);
  ASSERT_EQ(module.call("one", {a.data()}, {r.data()}), 0);
  EXPECT_EQ(r, (I8{3, 4}));
  ASSERT_EQ(module.call("two", {a.data()}, {r.data()}), 0);
  EXPECT_EQ(r, (I8{2, -5}));
}

TEST(HostBackend, InlinesNestedComposites) {
  const auto r = runOne<int8_t>(R"(
    func.func @f(%a: tensor<2xi8>) -> tensor<2xi8> {
      %r = tenon.composite "outer"(%a) : (tensor<2xi8>) -> tensor<2xi8> {
      ^bb0(%x: tensor<2xi8>):
        %y = tenon.composite "inner"(%x) : (tensor<2xi8>) -> tensor<2xi8> {
        ^bb0(%z: tensor<2xi8>):
          %n = tosa.bitwise_not %z : (tensor<2xi8>) -> tensor<2xi8>
          tenon.yield %n : tensor<2xi8>
        }
        tenon.yield %y : tensor<2xi8>
      }
      return %r : tensor<2xi8>
    })",
                                I8{0, 5}, 2);
  EXPECT_EQ(r, (I8{-1, -6}));
}

constexpr const char *kSmall = R"(
    func.func @f(%a: tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8> {
      %r = tosa.max_pool2d %a {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>,
        pad = array<i64: 1, 1, 1, 1>} : (tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8>
      return %r : tensor<1x4x4x3xi8>
    })";

TEST(HostBackend, MakesTheSameBytesTwice) {
  LoadedModule once(kSmall), again(kSmall);
  ASSERT_EQ(once.error(), "");
  EXPECT_EQ(once.image(), again.image());
}

TEST(HostBackend, MakesAArch64Images) {
  LoadedModule module(kSmall, "armv8-a");
  ASSERT_EQ(module.error(), "");
  Elf64_Ehdr header;
  ASSERT_GE(module.image().size(), sizeof(header));
  std::memcpy(&header, module.image().data(), sizeof(header));
  EXPECT_EQ(header.e_machine, EM_AARCH64);
  EXPECT_EQ(header.e_type, ET_DYN);
  EXPECT_EQ(module.result().compiled.hostCode.front().triple, "aarch64-unknown-linux-gnu");
}

TEST(HostBackend, NamesAnUnknownCpuLevel) {
  LoadedModule module(kSmall, "z80");
  EXPECT_NE(module.error().find("no CPU level \"z80\"; use one of x86-64-v2"), std::string::npos);
}

} // namespace
} // namespace tenon::host
