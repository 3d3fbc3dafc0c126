// SPDX-License-Identifier: Apache-2.0
// Whatever a backend does wrong: the compiler names it, goes on without it, and the package is
// right.
#include "tests/partition/RunPackage.h"

namespace tenon::tests {
namespace {

/// Sums around what only the host does: two functions for a target that takes sums. y = clz(2x) +
/// 2x.
constexpr const char *kSums = R"(
func.func @main(%x: tensor<1x4xi32> {tenon.name = "x", tenon.element = "int32"}) -> (tensor<1x4xi32> {tenon.name = "y"}) {
  %0 = tosa.add %x, %x : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("a"("ADD":0:0))
  %1 = tosa.clz %0 : (tensor<1x4xi32>) -> tensor<1x4xi32> loc("b"("CLZ":1:0))
  %2 = tosa.add %1, %0 : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("y"("ADD":2:0))
  return %2 : tensor<1x4xi32>
})";

Expected<compiler::Compilation> compileBadly(const std::string &fault) {
  compiler::CompileOptions options;
  options.targets = {{"bad", fault}, {"host", ""}};
  options.plugins = {TEST_BAD};
  return compiler::compileModel({reinterpret_cast<const uint8_t *>(kSums), std::strlen(kSums)},
                                "sums.mlir", options);
}

void expectRightOnHost(const compiler::Compilation &compiled) {
  EXPECT_EQ(targetsOf(compiled.report), std::vector<std::string>{"host"});
  EXPECT_EQ(runPackage(compiled.package, {bytesOf(std::vector<int32_t>{0, 1, -1, 1000})}),
            std::vector<Bytes>{bytesOf(std::vector<int32_t>{32, 32, -2, 2021})});
}

struct Case {
  const char *fault, *words;
};

void PrintTo(const Case &value, std::ostream *out) { *out << value.fault; }

class Fault : public testing::TestWithParam<Case> {};

TEST_P(Fault, IsReportedByNameAndTheHostTakesOver) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    (defined(__has_feature) &&                                                                     \
     (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)))
  GTEST_SKIP() << "sanitizers take signals for their own, and what a fault leaves behind for leaks";
#endif
  auto compiled = compileBadly(GetParam().fault);
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_EQ(compiled->report.faults.size(), 1u);
  const partition::BackendFault &fault = compiled->report.faults.front();
  EXPECT_EQ(fault.target, "bad");
  EXPECT_EQ(fault.origin, TEST_BAD);
  EXPECT_NE(fault.problem.find(GetParam().words), std::string::npos) << fault.problem;
  for (size_t sum : {0, 2}) {
    const auto &refusals = compiled->report.operators[sum].refusals;
    ASSERT_EQ(refusals.size(), 1u);
    EXPECT_EQ(refusals.front().target, "bad");
    EXPECT_EQ(refusals.front().refusal.rule, "bad.fault");
    EXPECT_NE(refusals.front().refusal.remedy.find(TEST_BAD), std::string::npos);
  }
  expectRightOnHost(*compiled);
}

INSTANTIATE_TEST_SUITE_P(
    Boundary, Fault,
    testing::Values(
        Case{"create throws", "create threw \"not today\""},
        Case{"create returns nothing", "create returned no backend"},
        Case{"name throws", "name threw \"nameless\""},
        Case{"name of another", "name is \"worse\", its library says \"bad\""},
        Case{"null pattern", "no pattern in row 0"},
        Case{"pattern name", "\"worse.sum\", which does not begin with \"bad.\""},
        Case{"match throws", "match of bad.sum threw \"lost the thread\""},
        Case{"match crashes", "match of bad.sum crashed (SIGSEGV)"},
        Case{"match of null", "matched a null operator"},
        Case{"match twice", "matched one operator twice"},
        Case{"match of elsewhere", "an operator that is not in the graph"},
        Case{"match of the past", "an operator that is not in the graph"},
        Case{"match without root", "bad.sum ma"},
        Case{"check throws", "check of bad.sum threw something that is no std::exception"},
        Case{"takesAlone throws", "takesAlone threw \"no"},
        Case{"cost throws", "cost threw \"priceless\""},
        Case{"regionCost throws", "regionCost threw \"priceless\""},
        Case{"compile throws", "compile threw \"out of ideas\""},
        Case{"compile crashes", "compile crashed (SIGSEGV)"},
        Case{"compile aborts", "compile crashed (SIGABRT)"},
        Case{"refuses a function there is not", "compile refused function 2 of 2"},
        Case{"partition missing", "compile made 1 partitions of 2 functions"},
        Case{"partition twice", "compile made 3 partitions of 2 functions"},
        Case{"symbol twice", "where \"partition_2\" is due"},
        Case{"symbols swapped", "where \"partition_0\" is due"},
        Case{"symbol empty", "symbol \"\" where \"partition_2\" is due"},
        Case{"target of another", "partition_2 for target \"host\""},
        Case{"commands empty", "partition_2 that has no commands"},
        Case{"no host code", "is host code, but the package holds none"},
        Case{"host code empty", "host code for \"\" of 0 bytes"},
        Case{"scratch too big", "scratch of 18446744073709551615 bytes exceeds"},
        Case{"long text", "text of 5000 bytes exceeds 4096"},
        Case{"debug of nobody", "debug table: operator 77 is not in the operator table"},
        Case{"debug unordered", "debug table is not in the order of commands"},
        Case{"costs of nobody", "cost table: operator 77 is not in the operator table"}));

TEST(Boundary, WhatIsInOrderPasses) {
  for (const char *config : {"", "tears down its functions"}) {
    auto compiled = compileBadly(config);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_TRUE(compiled->report.faults.empty());
    EXPECT_EQ(targetsOf(compiled->report), (std::vector<std::string>{"bad", "host", "bad"}));
  }
}

/// Refusals, however odd, are no faults: the operators go to the host with a reason.
TEST(Boundary, RefusalsAreNoFaults) {
  for (auto [config, rule] : {std::pair{"empty refusal", "bad.unnamed"},
                              std::pair{"refuses without reason", "bad.unnamed"},
                              std::pair{"refuses an operator there is not", "bad.sum"}}) {
    auto compiled = compileBadly(config);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_TRUE(compiled->report.faults.empty()) << config;
    EXPECT_EQ(compiled->report.operators[0].refusals.front().refusal.rule, rule);
    EXPECT_FALSE(compiled->report.operators[0].refusals.front().refusal.reason.empty());
    expectRightOnHost(*compiled);
  }
}

TEST(Boundary, TimesThatOverflowOnlyCost) {
  auto compiled = compileBadly("cost too high");
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_TRUE(compiled->report.faults.empty());
  EXPECT_EQ(compiled->report.operators[0].refusals.front().refusal.rule, "bad.region.cost");
  expectRightOnHost(*compiled);
}

TEST(Boundary, ACompositeAroundAnotherTargetsOperatorIsRefused) {
  auto compiled = compileBadly("circle");
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_TRUE(compiled->report.faults.empty());
  const backend::Refusal &refusal = compiled->report.operators[2].refusals.front().refusal;
  EXPECT_EQ(refusal.rule, "bad.match.circle");
  EXPECT_EQ(refusal.reason,
            "bad.sum would wait for itself through operator 1 \"b\" (CLZ), which it "
            "does not cover");
}

TEST(Boundary, AConfigurationThatIsRefusedIsTheUsersMatter) {
  auto compiled = compileBadly("create refuses");
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().message, "target bad: no configuration \"create refuses\"");
}

TEST(Boundary, ListsWhatCannotBeListed) {
  const compiler::BackendList list = compiler::listBackends({TEST_BAD});
  EXPECT_EQ(list.backends.back().name, "bad");
  EXPECT_TRUE(list.backends.back().configs.empty());
  ASSERT_EQ(list.skipped.size(), 1u);
  EXPECT_NE(list.skipped.front().reason.find("threw \"countless\""), std::string::npos);
}

} // namespace
} // namespace tenon::tests
