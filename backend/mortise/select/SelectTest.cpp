// SPDX-License-Identifier: Apache-2.0
// Patterns against graphs as frontends make them, and composites against the layers they become.
#include "backend/mortise/select/Select.h"

#include <gtest/gtest.h>

#include "backend/mortise/select/Constraints.h"
#include "backend/mortise/select/Patterns.h"
#include "ir/TenonDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

namespace tenon::mortise {
namespace {

const std::string kConstants = R"(
  %w = "tosa.const"() <{values = dense<[[[[1, -2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<[10, -10]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z128 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i0 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %one = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
)";

std::string rescale(const std::string &result, const std::string &operands,
                    const std::string &types, const std::string &in = "false",
                    const std::string &out = "false") {
  return result + " = tosa.rescale " + operands + " {input_unsigned = " + in +
         ", output_unsigned = " + out +
         ", per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : " + types + "\n";
}

const std::string kToI8 = "(tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, "
                          "tensor<1xi8>) -> tensor<1x4x4x2xi8>";
const std::string kToI32 = "(tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, "
                           "tensor<1xi32>) -> tensor<1x4x4x2xi32>";
const std::string kI32 = "(tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, "
                         "tensor<1xi32>) -> tensor<1x4x4x2xi32>";
const std::string kI8 = "(tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, "
                        "tensor<1xi8>) -> tensor<1x4x4x2xi8>";
const std::string kT = "tensor<1x4x4x2xi8>";

std::string convolution(const std::string &input, const std::string &result) {
  return "%acc" + result.substr(1) + " = tosa.conv2d " + input +
         ", %w, %b, %z3, %z0 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, "
         "0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, "
         "tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>\n" +
         rescale(result, "%acc" + result.substr(1) + ", %m, %s, %i0, %z3", kToI8);
}

std::string addition(const std::string &a, const std::string &b, const std::string &result) {
  return rescale("%ax", a + ", %one, %s10, %z3, %i0", kToI32) +
         rescale("%ay", "%ax, %m, %s, %i0, %i0", kI32) +
         rescale("%bx", b + ", %one, %s10, %z3, %i0", kToI32) +
         rescale("%by", "%bx, %m, %s, %i0, %i0", kI32) +
         "%sum = tosa.add %ay, %by : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> "
         "tensor<1x4x4x2xi32>\n" +
         rescale(result, "%sum, %m, %s, %i0, %z0", kToI8);
}

std::string composite(const std::string &name, const std::string &result,
                      const std::string &operands, const std::string &types,
                      const std::string &arguments, const std::string &body,
                      const std::string &yielded) {
  return result + " = tenon.composite \"" + name + "\"(" + operands + ") : (" + types + ") -> " +
         kT + " {\n^bb0(" + arguments + "):\n" + kConstants + body + "tenon.yield " + yielded +
         " : " + kT + "\n}\n";
}

class SelectTest : public testing::Test {
protected:
  SelectTest() {
    context.loadDialect<mlir::func::FuncDialect, mlir::tosa::TosaDialect, ir::TenonDialect>();
  }

  mlir::func::FuncOp parse(const std::string &arguments, const std::string &body,
                           const std::string &returned) {
    module = mlir::parseSourceString<mlir::ModuleOp>("func.func @f(" + arguments + ") -> " + kT +
                                                         " {\n" + body + "return " + returned +
                                                         " : " + kT + "\n}\n",
                                                     &context);
    return module ? *module->getOps<mlir::func::FuncOp>().begin() : mlir::func::FuncOp();
  }

  /// The first row that takes what is returned.
  std::string rowOf(mlir::func::FuncOp function) {
    mlir::Operation *root =
        function.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
    for (const auto &pattern : patterns)
      if (auto match = pattern->match(root))
        if (!pattern->check(*match))
          return pattern->name();
    return "";
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::unique_ptr<backend::Pattern>> patterns = makePatterns();
};

TEST_F(SelectTest, FusesAnAdditionBehindAConvolution) {
  auto function = parse("%x: " + kT + ", %y: " + kT,
                        kConstants + convolution("%x", "%c") + addition("%y", "%c", "%r"), "%r");
  ASSERT_TRUE(function);
  EXPECT_EQ(rowOf(function), "mortise.conv2d_add");
}

TEST_F(SelectTest, TakesAnAdditionAlone) {
  auto function = parse("%x: " + kT + ", %y: " + kT, kConstants + addition("%x", "%y", "%r"), "%r");
  ASSERT_TRUE(function);
  EXPECT_EQ(rowOf(function), "mortise.elementwise");
}

TEST_F(SelectTest, ConvolutionBetweenEdgeCastsReadsAndWritesUint8) {
  auto function = parse(
      "%x: " + kT,
      composite("mortise.edge_cast", "%a", "%x", kT, "%p: " + kT,
                rescale("%r", "%p, %one, %s30, %z128, %z0", kI8, "true"), "%r") +
          composite("mortise.conv2d", "%c", "%a", kT, "%p: " + kT, convolution("%p", "%r"), "%r") +
          composite("mortise.edge_cast", "%e", "%c", kT, "%p: " + kT,
                    rescale("%r", "%p, %one, %s30, %z0, %z128", kI8, "false", "true"), "%r"),
      "%e");
  ASSERT_TRUE(function);
  auto graph = select(function);
  ASSERT_TRUE(graph) << graph.error().refusal.reason;
  ASSERT_EQ(graph->layers.size(), 1u);
  const auto &layer = std::get<MacLayer>(graph->layers[0].work);
  EXPECT_EQ(graph->layers[0].macs, 4u * 4 * 2 * 2);
  const LayerTensor &input = graph->tensors[layer.input], &output = graph->tensors[layer.output];
  EXPECT_EQ(input.home, Home::Input);
  EXPECT_EQ(input.dtype, DType::U8);
  EXPECT_EQ(input.zeroPoint, 131);
  EXPECT_EQ(output.home, Home::Output);
  EXPECT_EQ(output.dtype, DType::U8);
  EXPECT_EQ(layer.zeroPointA, 131);
  EXPECT_EQ(layer.clampAMin, 0);
  EXPECT_EQ(layer.clampAMax, 255);
  EXPECT_EQ(layer.weights, (std::vector<int8_t>{1, -2, 3, 4}));
  EXPECT_EQ(layer.bias, (std::vector<int32_t>{10, -10}));
  EXPECT_EQ(layer.scales[1].multiplier, 1518500250);
  EXPECT_EQ(layer.scales[1].shift, 36);
}

TEST_F(SelectTest, OutgoingCastAloneTurnsSignedIntoUnsigned) {
  auto function =
      parse("%x: " + kT,
            composite("mortise.edge_cast", "%e", "%x", kT, "%p: " + kT,
                      rescale("%r", "%p, %one, %s30, %z0, %z128", kI8, "false", "true"), "%r"),
            "%e");
  ASSERT_TRUE(function);
  auto graph = select(function);
  ASSERT_TRUE(graph) << graph.error().refusal.reason;
  const auto &layer = std::get<ElementwiseLayer>(graph->layers.at(0).work);
  EXPECT_EQ(graph->tensors[layer.a].dtype, DType::I8);
  EXPECT_EQ(graph->tensors[layer.a].zeroPoint, 0);
  EXPECT_EQ(graph->tensors[layer.output].dtype, DType::U8);
  EXPECT_EQ(graph->tensors[layer.output].zeroPoint, 128);
}

TEST_F(SelectTest, RefusesUint8InsideAPartition) {
  const std::string cast =
      composite("mortise.edge_cast", "%e", "%x", kT, "%p: " + kT,
                rescale("%r", "%p, %one, %s30, %z0, %z128", kI8, "false", "true"), "%r");
  auto function = parse("%x: " + kT,
                        cast + composite("mortise.conv2d", "%c", "%e", kT, "%p: " + kT,
                                         convolution("%p", "%r"), "%r"),
                        "%c");
  ASSERT_TRUE(function);
  auto graph = select(function);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().refusal.rule, "mortise.form");
}

TEST_F(SelectTest, AdditionBecomesAProgramOfSixMicroOps) {
  auto function = parse("%x: " + kT + ", %y: " + kT,
                        composite("mortise.elementwise", "%e", "%x, %y", kT + ", " + kT,
                                  "%p: " + kT + ", %q: " + kT, addition("%p", "%q", "%r"), "%r"),
                        "%e");
  ASSERT_TRUE(function);
  auto graph = select(function);
  ASSERT_TRUE(graph) << graph.error().refusal.reason;
  const auto &layer = std::get<ElementwiseLayer>(graph->layers.at(0).work);
  std::vector<MicroOpcode> opcodes;
  for (const MicroOp &op : layer.program)
    opcodes.push_back(op.op);
  EXPECT_EQ(opcodes, (std::vector{MicroOpcode::SHL, MicroOpcode::RESCALE, MicroOpcode::SHL,
                                  MicroOpcode::RESCALE, MicroOpcode::ADD, MicroOpcode::RESCALE}));
  EXPECT_EQ(graph->tensors[layer.a].zeroPoint, 3);
  EXPECT_TRUE(layer.b);
}

TEST_F(SelectTest, AResultThatIsAlsoReadIsCopiedOut) {
  const std::string conv =
      composite("mortise.conv2d", "%c", "%x", kT, "%p: " + kT, convolution("%p", "%r"), "%r");
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%x: " + kT + ") -> (" + kT + ", " + kT + ") {\n" + conv +
          composite("mortise.conv2d", "%d", "%c", kT, "%p: " + kT, convolution("%p", "%r"), "%r") +
          "return %c, %d : " + kT + ", " + kT + "\n}\n",
      &context);
  ASSERT_TRUE(module);
  auto graph = select(*module->getOps<mlir::func::FuncOp>().begin());
  ASSERT_TRUE(graph) << graph.error().refusal.reason;
  ASSERT_EQ(graph->layers.size(), 3u);
  const auto &copy = std::get<CopyLayer>(graph->layers[2].work);
  EXPECT_EQ(graph->tensors[copy.output].home, Home::Output);
  EXPECT_EQ(graph->tensors[copy.output].edge, 0u);
  EXPECT_EQ(graph->outputBytes, (std::vector<uint64_t>{32, 32}));
}

TEST(Constraints, NameValueLimitAndRemedy) {
  auto refusal = check({{"stride", 256, ""}});
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->reason, "stride 256 exceeds 255");
  EXPECT_EQ(refusal->limit, "255");
  EXPECT_FALSE(check({{"stride", 255, ""}}));
}

} // namespace
} // namespace tenon::mortise
