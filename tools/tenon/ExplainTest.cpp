// SPDX-License-Identifier: Apache-2.0
// What explain counts, how a graph is laid out, how names become text.
#include <gtest/gtest.h>

#include "tools/tenon/GraphLayout.h"
#include "tools/tenon/Html.h"
#include "tools/tenon/Summary.h"

namespace tenon::cli {
namespace {

partition::OperatorReport makeOperator(int64_t index, const std::string &target, uint64_t macs,
                                       std::vector<partition::TargetRefusal> refusals) {
  partition::OperatorReport op;
  op.index = index;
  op.target = target;
  op.macs = macs;
  op.refusals = std::move(refusals);
  return op;
}

partition::TargetRefusal refuse(const std::string &rule, const std::string &limit) {
  return {"npu", {rule, "reason", "value", limit, "edit " + limit}};
}

TEST(Summary, RanksRulesByMacsOnTheHost) {
  partition::Report report;
  report.operators = {
      makeOperator(0, "npu", 500, {}),
      makeOperator(1, "host", 200, {refuse("npu.stride", "4")}),
      makeOperator(2, "host", 110, {refuse("npu.stride", "4")}),
      makeOperator(3, "host", 190, {refuse("npu.type", "int8")}),
      makeOperator(4, "host", 0, {refuse("npu.operator", "adds")}),
      makeOperator(5, "host", 0, {refuse("npu.operator", "pools")}),
      makeOperator(6, "other", 0, {refuse("npu.kernel", "7")}), // not on the host: no matter
  };
  const Summary summary = summarize(report);
  EXPECT_EQ(summary.operators, 7u);
  EXPECT_EQ(summary.hostOperators, 5u);
  EXPECT_EQ(summary.macs, 1000u);
  EXPECT_EQ(summary.hostMacs, 500u);
  ASSERT_EQ(summary.rules.size(), 3u);
  EXPECT_EQ(sentenceOf(summary.rules[0]),
            "lifting npu.stride <= 4 would move 31 % of MACs (2 operators) to npu");
  EXPECT_EQ(sentenceOf(summary.rules[1]),
            "lifting npu.type (takes int8) would move 19 % of MACs (1 operator) to npu");
  EXPECT_EQ(sentenceOf(summary.rules[2]),
            "lifting npu.operator would move 2 operators without MACs to npu");
  EXPECT_EQ(summary.rules[0].operators, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(summary.rules[2].remedies, (std::vector<std::string>{"edit adds", "edit pools"}));
}

TEST(Summary, OfNothing) {
  const Summary summary = summarize({});
  EXPECT_EQ(summary.macs, 0u);
  EXPECT_TRUE(summary.rules.empty());
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.0004), "under 0.1 %");
  EXPECT_EQ(percent(0.034), "3.4 %");
}

using Before = std::vector<std::vector<size_t>>;

/// No two boxes touch, edges go down, and those that pass a row pass it beside its boxes.
void expectReadable(const Before &before) {
  constexpr int width = GraphLayout::kNodeWidth, height = GraphLayout::kNodeHeight;
  const GraphLayout layout = layOut(before);
  ASSERT_EQ(layout.nodes.size(), before.size());
  for (const Point &a : layout.nodes) {
    EXPECT_TRUE(a.x >= 0 && a.y >= 0 && a.x + width <= layout.width &&
                a.y + height <= layout.height);
    for (const Point &b : layout.nodes)
      EXPECT_TRUE(&a == &b || std::abs(a.x - b.x) >= width || std::abs(a.y - b.y) >= height);
  }
  for (const GraphLayout::Edge &edge : layout.edges) {
    for (size_t i = 1; i < edge.points.size(); ++i)
      EXPECT_GT(edge.points[i].y, edge.points[i - 1].y);
    for (size_t i = 1; i + 1 < edge.points.size(); ++i)
      for (const Point &node : layout.nodes)
        EXPECT_FALSE(edge.points[i].x > node.x && edge.points[i].x < node.x + width &&
                     edge.points[i].y >= node.y && edge.points[i].y <= node.y + height);
  }
}

TEST(GraphLayout, ChainBranchesAndSkips) {
  expectReadable({});
  expectReadable({{}});
  expectReadable({{}, {0}, {1}});
  expectReadable({{}, {0}, {0}, {0}, {1, 2, 3}});
  expectReadable({{}, {0}, {1}, {2}, {0, 3}, {1, 4}, {0, 5}});
}

TEST(GraphLayout, RoutesEachEdgeOnce) {
  const GraphLayout layout = layOut({{}, {0}, {0, 1}});
  ASSERT_EQ(layout.edges.size(), 3u);
  EXPECT_EQ(layout.edges[1].from, 0u);
  EXPECT_EQ(layout.edges[1].to, 2u);
  EXPECT_EQ(layout.edges[1].points.size(), 4u); // past node 1
}

TEST(GraphLayout, TakesWhatNoNetworkHas) {
  EXPECT_EQ(layOut({{1}, {0}, {2}, {99}}).nodes.size(), 4u); // a circle, itself, nobody
}

TEST(Html, LeavesNoMarkup) {
  EXPECT_EQ(escapeHtml("a<script>alert('1')</script>&\"b\""),
            "a&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;b&quot;");
  EXPECT_EQ(escapeHtml(std::string("\n\0\xff", 3)), "\\x0a\\x00\\xff");
  EXPECT_EQ(escapeHtml("größe"), "größe");
}

} // namespace
} // namespace tenon::cli
