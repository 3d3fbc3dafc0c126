// SPDX-License-Identifier: Apache-2.0
// Random graphs, cut in random ways: what comes out is what the graph says, by a calculation here.
#include <random>

#include "tests/partition/RunPackage.h"

namespace tenon::tests {
namespace {

using I32 = std::vector<int32_t>;
constexpr const char *kType = "tensor<1x4xi32>";

/// One operator: its name and the values it uses.
struct Node {
  std::string op;
  std::vector<unsigned> operands;
};

/// Two inputs, then nodes in order; outputs may repeat and may be inputs.
struct Graph {
  std::vector<Node> nodes;
  std::vector<unsigned> outputs;
};

Graph makeGraph(std::mt19937 &random) {
  static const std::vector<std::string> names = {"abs", "bitwise_not", "add", "sub"};
  Graph graph;
  for (unsigned i = 0, size = 3 + random() % 14; i < size; ++i) {
    Node node{names[random() % names.size()], {}};
    const unsigned count = node.op == "add" || node.op == "sub" ? 2 : 1;
    for (unsigned k = 0; k < count; ++k) {
      // Mostly of late: long graphs with short cuts.
      const unsigned back = random() % 3 ? 1 + random() % 4 : 1 + random() % (i + 2);
      node.operands.push_back(i + 2 - std::min(back, i + 2));
    }
    graph.nodes.push_back(node);
  }
  for (unsigned i = 0, count = 1 + random() % 4; i < count; ++i)
    graph.outputs.push_back(random() % (graph.nodes.size() + 2));
  graph.outputs.push_back(graph.nodes.size() + 1);
  return graph;
}

/// Every third operator shares a model operator with the one before it.
std::string print(const Graph &graph) {
  std::string types, names, body;
  for (unsigned i = 0; i < graph.outputs.size(); ++i) {
    types += (i ? ", " : "") + std::string(kType);
    names += (i ? ", %v" : "%v") + std::to_string(graph.outputs[i]);
  }
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    std::string operands, operandTypes;
    for (unsigned operand : graph.nodes[i].operands) {
      operands += (operands.empty() ? "%v" : ", %v") + std::to_string(operand);
      operandTypes += (operandTypes.empty() ? "" : ", ") + std::string(kType);
    }
    body += fmt::format("%v{} = tosa.{} {} : ({}) -> {} loc(\"t{}\"(\"OP\":{}:0))\n", i + 2,
                        graph.nodes[i].op, operands, operandTypes, kType, i, i - (i % 3 == 2));
  }
  return fmt::format("func.func @main(%v0: {0}, %v1: {0}) -> ({1}) {{\n{2}return {3} : {1}\n}}",
                     kType, types, body, names);
}

std::vector<Bytes> evaluate(const Graph &graph, const I32 &a, const I32 &b) {
  std::vector<I32> values = {a, b};
  for (const Node &node : graph.nodes) {
    I32 result(4);
    for (unsigned i = 0; i < 4; ++i) {
      const uint32_t x = values[node.operands[0]][i], y = values[node.operands.back()][i];
      result[i] = node.op == "add"   ? x + y
                  : node.op == "sub" ? x - y
                  : node.op == "abs" ? (int32_t(x) < 0 ? 0 - x : x)
                                     : ~x;
    }
    values.push_back(result);
  }
  std::vector<Bytes> outputs;
  for (unsigned output : graph.outputs)
    outputs.push_back(bytesOf(values[output]));
  return outputs;
}

std::string pickTargets(std::mt19937 &random) {
  static const std::vector<std::string> claims = {
      "abs",     "bitwise_not", "add",     "sub",      "abs>add", "bitwise_not>sub",
      "add>abs", "add>sub>abs", "limit=2", "launch=20"};
  std::string targets;
  for (const char *name : {"alpha", "beta", "gamma"}) {
    targets += (targets.empty() ? "" : ",") + std::string(name) + ":";
    for (const std::string &claim : claims)
      if (random() % 3 == 0)
        targets += "+" + claim;
  }
  return targets;
}

TEST(RandomGraphs, ComputeTheSameHoweverTheyAreCut) {
  size_t partitions = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = makeGraph(random);
    const std::string text = print(graph), targets = pickTargets(random);
    SCOPED_TRACE(fmt::format("seed {} --target {}\n{}", seed, targets, text));
    auto compiled = compileText(text, targets);
    ASSERT_TRUE(compiled) << compiled.error().message;
    partitions += compiled->package.partitions.size();
    const I32 a = {1, -2, 300, -40000}, b = {-5, 6, 7, 1 << 20};
    EXPECT_EQ(runPackage(compiled->package, {bytesOf(a), bytesOf(b)}), evaluate(graph, a, b));
  }
  EXPECT_GT(partitions, 120u);
}

} // namespace
} // namespace tenon::tests
