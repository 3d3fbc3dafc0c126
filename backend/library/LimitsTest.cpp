// SPDX-License-Identifier: Apache-2.0
// Limits at their edges, claims, tables that make no sense, and the page that lists parameters.
#include "backend/library/Limits.h"

#include <gtest/gtest.h>

#include "support/Files.h"

namespace tenon::library {
namespace {

void writeNothing(const Convolution &, Emitter &) {}
void addNothing(const Addition &, Emitter &) {}

Composite row(std::vector<Limit> limits) {
  return {"conv", Operator::Conv2d, std::move(limits), writeNothing};
}

Convolution strided(int64_t h, int64_t w) {
  Convolution view;
  view.stride = {h, w};
  return view;
}

TEST(Limits, TakeTheirEdges) {
  const Composite composite = row({between("stride", 2, 4)});
  EXPECT_FALSE(check("n", composite, strided(2, 4)));
  auto above = check("n", composite, strided(2, 5));
  ASSERT_TRUE(above);
  EXPECT_EQ(above->rule, "n.conv.stride");
  EXPECT_EQ(above->reason, "stride 5 exceeds 4");
  EXPECT_EQ(above->value, "5");
  EXPECT_EQ(above->limit, "4");
  EXPECT_EQ(above->remedy, "use stride 4 or less");
  auto below = check("n", composite, strided(1, 4));
  ASSERT_TRUE(below);
  EXPECT_EQ(below->reason, "stride 1 is below 2");
  EXPECT_EQ(below->remedy, "use stride 2 or more");
}

TEST(Limits, TakeTheirSet) {
  const Composite composite = row({oneOf("stride", {1, 2, 4})});
  EXPECT_FALSE(check("n", composite, strided(4, 1)));
  auto refusal = check("n", composite, strided(1, 3));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->reason, "stride 3 is not 1, 2 or 4");
  EXPECT_EQ(refusal->remedy, "use stride 1, 2 or 4");
}

TEST(Limits, HaveRemediesOfTheirOwn) {
  auto refusal = check("n", row({atMost("stride", 1, "pool instead")}), strided(2, 1));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->remedy, "pool instead");
}

TEST(Limits, NameEveryParameterOfAView) {
  Convolution view;
  view.in = {1, 5, 6, 7}, view.out = {1, 3, 4, 8};
  view.kernel = {2, 3}, view.padding = {1, 2, 3, 4};
  view.requantise.shifts = {33, 40};
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(numbersOf(view, "kernel"), (Numbers{2, 3}));
  EXPECT_EQ(numbersOf(view, "padding"), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(numbersOf(view, "window"), (Numbers{42}));
  EXPECT_EQ(numbersOf(view, "shift"), (Numbers{33, 40}));
  EXPECT_EQ(numbersOf(view, "unknown"), Numbers{});
  view.depthwise = true;
  EXPECT_EQ(numbersOf(view, "window"), (Numbers{6}));
  EXPECT_EQ(view.macs(), 3 * 4 * 8 * 6);
}

TEST(Limits, AreClaims) {
  Npu npu{"n", "", 1, {}, {}, {row({atMost("stride", 4), oneOf("kernel", {1, 3})})}};
  npu.composites.push_back({"same", Operator::Reshape});
  const auto claims = claimsOf(npu);
  ASSERT_EQ(claims.size(), 3u);
  EXPECT_EQ(claims[0].composite, "n.conv");
  EXPECT_EQ(claims[0].operation, "conv2d");
  EXPECT_EQ(claims[0].parameter, "stride");
  EXPECT_EQ(claims[0].maximum, 4);
  EXPECT_EQ(claims[0].minimum, INT64_MIN);
  EXPECT_EQ(claims[0].rule, "n.conv.stride");
  EXPECT_EQ(claims[1].values, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(claims[2].operation, "reshape");
  EXPECT_EQ(claims[2].parameter, "");
}

std::string problemOf(Composite composite) {
  auto ok = validate({"n", "", 1, {}, {}, {std::move(composite)}});
  return ok ? "" : ok.error().message;
}

TEST(Limits, TablesThatMakeNoSense) {
  EXPECT_EQ(problemOf(row({atMost("stride", 1)})), "");
  EXPECT_EQ(problemOf({"Conv", Operator::Conv2d, {}, writeNothing}),
            "composite \"Conv\" is no name; use lower-case letters, digits and _");
  EXPECT_EQ(problemOf({"conv", Operator::Conv2d, {}, addNothing}),
            "composite \"conv\": its code takes another view than conv2d has");
  EXPECT_EQ(problemOf({"conv", Operator::Conv2d}),
            "composite \"conv\": its code takes another view than conv2d has");
  EXPECT_EQ(problemOf({"same", Operator::Reshape, {atMost("size", 1)}}),
            "composite \"same\": \"size\" is no parameter of reshape; it has none");
  EXPECT_EQ(problemOf({"add", Operator::Add, {}, addNothing, true}),
            "composite \"add\": add fuses nothing");
  EXPECT_NE(problemOf(row({atMost("strid", 1)})).find("there are: batch, input_size"),
            std::string::npos);
  EXPECT_NE(problemOf(row({between("stride", 3, 2)})).find("is never met"), std::string::npos);
  EXPECT_EQ(validate({"n", "", 1, {}, {}, {row({}), row({})}}).error().message,
            "composite \"conv\" is there twice");
  EXPECT_EQ(validate({"n", ""}).error().message, "the table has no composites; add one");
  EXPECT_FALSE(validate({"n", "", 1, {0, 1, 1}, {}, {row({})}}));
}

TEST(Limits, PageListsEveryParameter) {
  auto page = readFile(TEST_PAGE);
  ASSERT_TRUE(page);
  EXPECT_NE(std::string(page->begin(), page->end()).find(parameterTable()), std::string::npos)
      << "put this into docs/library-style.md:\n"
      << parameterTable();
}

} // namespace
} // namespace tenon::library
