// SPDX-License-Identifier: Apache-2.0
// Composites as views with places, and what code functions' answers become.
#include "backend/library/LibraryBackend.h"

#include <gtest/gtest.h>

#include "ir/TenonDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "package/tenon_call_stream.h"

namespace tenon::library {
namespace {

// What code functions saw; a table's functions have no state.
std::vector<Convolution> convolutions;
std::vector<Addition> additions;
std::vector<Program> programs;
std::function<void(Emitter &)> answer;

void writeConvolution(const Convolution &view, Emitter &emit) {
  convolutions.push_back(view);
  emit.constant(view.weights);
  if (answer)
    answer(emit);
}
void writeAdd(const Addition &view, Emitter &emit) {
  additions.push_back(view);
  emit.put(uint32_t(additions.size()));
}
std::vector<uint8_t> keepProgram(const Program &program) {
  programs.push_back(program);
  return {1, 2, 3};
}

Npu makeNpu() {
  Npu npu;
  npu.name = "n";
  npu.commandVersion = 7;
  npu.configs = {"fast"};
  npu.composites = {{"conv2d", Operator::Conv2d, {atMost("stride", 2)}, writeConvolution, true},
                    {"add", Operator::Add, {}, writeAdd},
                    {"reshape", Operator::Reshape}};
  npu.link = keepProgram;
  return npu;
}

const std::string kT = "tensor<1x4x4x2xi8>";

std::string rescale(const std::string &result, const std::string &operands,
                    const std::string &types) {
  return result + " = tosa.rescale " + operands +
         " {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = "
         "DOUBLE_ROUND, scale32 = true} : " +
         types + "\n";
}

const std::string kConstants = R"(
  %w = "tosa.const"() <{values = dense<[[[[1, -2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<[10, -10]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i0 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %one = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
)";

std::string composite(const std::string &result, const std::string &name,
                      const std::string &operands, const std::string &arguments,
                      const std::string &types, const std::string &body, int index,
                      const std::string &resultType = kT) {
  const std::string at =
      " loc(\"" + result.substr(1) + "\"(\"OP\":" + std::to_string(index) + ":0))\n";
  return result + " = tenon.composite \"n." + name + "\"(" + operands + ") : (" + types + ") -> " +
         resultType + " {\n^bb0(" + arguments + "):\n" + kConstants + body +
         "tenon.yield %r : " + resultType + "\n}" + at;
}

std::string convolution(const std::string &input, const std::string &result, int index) {
  return composite(
      result, "conv2d", input, "%x: " + kT, kT,
      "%acc = tosa.conv2d %x, %w, %bias, %z3, %z0 {acc_type = i32, dilation = array<i64: 1, 1>, "
      "pad = "
      "array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, "
      "tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>\n" +
          rescale("%q", "%acc, %m, %s, %i0, %z3",
                  "(tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, "
                  "tensor<1xi8>) -> tensor<1x4x4x2xi8>") +
          "%r = tosa.clamp %q {min_val = 3 : i8, max_val = 100 : i8} : (" + kT + ") -> " + kT +
          "\n",
      index);
}

std::string addition(const std::string &a, const std::string &b, const std::string &result,
                     int index) {
  const std::string toI32 = "(tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, "
                            "tensor<1xi32>) -> tensor<1x4x4x2xi32>";
  const std::string i32 = "(tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, "
                          "tensor<1xi32>) -> tensor<1x4x4x2xi32>";
  return composite(result, "add", a + ", " + b, "%x: " + kT + ", %y: " + kT, kT + ", " + kT,
                   rescale("%ax", "%x, %one, %s10, %z3, %i0", toI32) +
                       rescale("%ay", "%ax, %m, %s, %i0, %i0", i32) +
                       rescale("%by", "%y, %m, %s, %z0, %i0", toI32) +
                       "%sum = tosa.add %ay, %by : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> "
                       "tensor<1x4x4x2xi32>\n" +
                       rescale("%r", "%sum, %m, %s, %i0, %z3",
                               "(tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, "
                               "tensor<1xi8>) -> tensor<1x4x4x2xi8>"),
                   index);
}

const std::string kFlat = "tensor<1x32xi8>";
std::string reshape(const std::string &input, const std::string &result, int index) {
  return composite(result, "reshape", input, "%x: " + kT, kT,
                   "%shape = tosa.const_shape {values = dense<[1, 32]> : tensor<2xindex>} : () -> "
                   "!tosa.shape<2>\n%r = tosa.reshape %x, %shape : (" +
                       kT + ", !tosa.shape<2>) -> " + kFlat + "\n",
                   index, kFlat);
}

class LibraryBackendTest : public ::testing::Test {
protected:
  LibraryBackendTest() {
    convolutions.clear(), additions.clear(), programs.clear();
    answer = nullptr;
  }

  backend::CompileResult compile(const std::string &results, const std::string &types,
                                 const std::string &body) {
    auto made = createBackend(npu, context, "");
    EXPECT_TRUE(made) << made.error().message;
    const std::string text = "func.func @p(%in: " + kT + ") -> (" + types + ") {\n" + body +
                             "return " + results + " : " + types + "\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    backend::PartitionFunction function{*module->getOps<mlir::func::FuncOp>().begin(), "p"};
    return (*made)->compile({function});
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Npu npu = makeNpu();
};

TEST_F(LibraryBackendTest, ConvolutionsAreViews) {
  auto result = compile("%y", kT, convolution("%in", "%y", 4));
  ASSERT_TRUE(result.failures.empty()) << result.failures[0].refusal.reason;
  ASSERT_EQ(convolutions.size(), 1u);
  const Convolution &view = convolutions[0];
  EXPECT_EQ(view.weights, (std::vector<int8_t>{1, -2, 3, 4}));
  EXPECT_EQ(view.bias, (std::vector<int32_t>{10, -10}));
  EXPECT_EQ(view.requantise.multipliers, (std::vector<int32_t>{1518500250, 1518500250}));
  EXPECT_EQ(view.requantise.shifts, (std::vector<int32_t>{36, 36}));
  EXPECT_EQ(view.inputZeroPoint, 3);
  EXPECT_EQ(view.requantise.zeroPoint, 3);
  EXPECT_EQ(view.requantise.low, 3);
  EXPECT_EQ(view.requantise.high, 100);
  EXPECT_TRUE(view.requantise.doubleRounding);
  EXPECT_FALSE(view.requantise.perChannel);
  EXPECT_EQ(view.in.h, 4);
  EXPECT_EQ(view.out.c, 2);
  EXPECT_EQ(view.output.name, "y");
  EXPECT_EQ(view.input.place.region, Region::Input);
  EXPECT_EQ(view.output.place.region, Region::Output);
  EXPECT_EQ(view.output.place.bytes, 32u);

  const package::Partition &step = result.compiled.partitions.at(0);
  EXPECT_EQ(step.target, "n");
  EXPECT_EQ(step.symbol, "p");
  EXPECT_EQ(step.deviceAbi, 7u);
  EXPECT_EQ(step.commands, (Bytes{1, 2, 3}));
  EXPECT_EQ(step.constants.size(), 64u);
  EXPECT_EQ(step.scratchBytes, 0u);
  ASSERT_EQ(step.debug.size(), 1u);
  EXPECT_EQ(step.debug[0].operators, (std::vector<uint32_t>{4}));
  ASSERT_EQ(step.costs.size(), 1u);
  EXPECT_EQ(step.costs[0].name, "n.conv2d");
  EXPECT_EQ(step.costs[0].macs, 64u);
}

TEST_F(LibraryBackendTest, AdditionsAreViews) {
  compile("%y", kT, convolution("%in", "%a", 0) + addition("%in", "%a", "%y", 1));
  ASSERT_EQ(additions.size(), 1u);
  EXPECT_EQ(additions[0].aZeroPoint, 3);
  EXPECT_EQ(additions[0].aLeftShift, 20);
  EXPECT_EQ(additions[0].bLeftShift, 0);
  EXPECT_EQ(additions[0].bScale.multiplier, 1518500250);
  EXPECT_EQ(additions[0].outputScale.shift, 36);
  EXPECT_EQ(additions[0].outputZeroPoint, 3);
  EXPECT_EQ(additions[0].a.place.region, Region::Input);
  EXPECT_EQ(additions[0].b.place.region, Region::Scratch);
}

TEST_F(LibraryBackendTest, ScratchIsSharedOverLivesAndConstantsAreKeptOnce) {
  auto result = compile("%d", kT,
                        convolution("%in", "%a", 0) + convolution("%a", "%b", 1) +
                            convolution("%b", "%c", 2) + convolution("%c", "%d", 3));
  ASSERT_EQ(convolutions.size(), 4u);
  EXPECT_EQ(convolutions[1].input.place.offset, convolutions[0].output.place.offset);
  EXPECT_NE(convolutions[1].output.place.offset, convolutions[0].output.place.offset);
  EXPECT_EQ(convolutions[2].output.place.offset, convolutions[0].output.place.offset);
  EXPECT_EQ(result.compiled.partitions.at(0).scratchBytes, 64u + 32u);
  EXPECT_EQ(result.compiled.partitions.at(0).constants.size(), 64u);
}

TEST_F(LibraryBackendTest, ReshapesAreOtherNamesAndOutputsThatShareACopy) {
  compile("%f, %a, %g", kFlat + ", " + kT + ", " + kFlat,
          convolution("%in", "%a", 0) + reshape("%a", "%f", 1) + reshape("%in", "%g", 2));
  ASSERT_EQ(programs.size(), 1u);
  const Program &program = programs[0];
  ASSERT_EQ(program.calls.size(), 3u);
  EXPECT_EQ(program.calls[0].composite, "conv2d");
  const auto isCopy = [&](size_t call, Region region, uint32_t from, uint32_t to) {
    const ProgramCall &copy = program.calls[call];
    return copy.composite.empty() && copy.inputs == 1 && copy.operands[0].region == region &&
           copy.operands[0].edge == from && copy.operands[1].region == Region::Output &&
           copy.operands[1].edge == to && copy.operands[1].bytes == 32;
  };
  EXPECT_TRUE(isCopy(1, Region::Output, 0, 1));
  EXPECT_TRUE(isCopy(2, Region::Input, 0, 2));
  EXPECT_EQ(program.outputBytes, (std::vector<uint64_t>{32, 32, 32}));
}

TEST_F(LibraryBackendTest, ScratchOfACallLiesBehindTensors) {
  answer = [](Emitter &emit) { EXPECT_EQ(emit.scratch(100).offset % 64, 0u); };
  auto result = compile("%b", kT, convolution("%in", "%a", 0) + convolution("%a", "%b", 1));
  ASSERT_EQ(programs.size(), 1u);
  const Place tensor = programs[0].calls[0].operands[1], own = programs[0].calls[0].operands[3];
  EXPECT_EQ(own.region, Region::Scratch);
  EXPECT_EQ(own.bytes, 100u);
  EXPECT_GE(own.offset, tensor.offset + tensor.bytes);
  EXPECT_GE(result.compiled.partitions.at(0).scratchBytes, own.offset + 100);
}

TEST_F(LibraryBackendTest, CodeMayRefuse) {
  answer = [](Emitter &emit) {
    emit.refuse("memory", "64 bytes exceed 32", "64", "32", "use fewer channels");
  };
  auto result = compile("%y", kT, convolution("%in", "%y", 4));
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].operators, (std::vector<int64_t>{4}));
  EXPECT_EQ(result.failures[0].refusal.rule, "n.conv2d.memory");
  EXPECT_EQ(result.failures[0].refusal.reason, "64 bytes exceed 32");
}

TEST_F(LibraryBackendTest, CodeMayThrow) {
  answer = [](Emitter &) { throw std::runtime_error("no licence"); };
  auto result = compile("%y", kT, convolution("%in", "%y", 4));
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].refusal.rule, "n.conv2d.code");
  EXPECT_EQ(result.failures[0].refusal.reason, "no licence");
}

TEST_F(LibraryBackendTest, WithoutLinkCommandsAreACallStream) {
  npu.link = nullptr;
  auto result = compile("%y", kT, convolution("%in", "%y", 4));
  const Bytes &bytes = result.compiled.partitions.at(0).commands;
  EXPECT_EQ(bytes.size() % 8, 0u);
  auto header = readAt<tenon_call_stream_header>(bytes, 0);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->magic, TENON_CALL_STREAM_MAGIC);
  EXPECT_EQ(header->name_count, 1u);
  EXPECT_EQ(header->call_count, 1u);
  auto call = readAt<tenon_call_header>(bytes, 32); // "conv2d" and its length fill 16
  ASSERT_TRUE(call);
  EXPECT_EQ(call->input_count, 1u);
  EXPECT_EQ(call->output_count, 1u);
  EXPECT_EQ(call->operand_count, 3u);
  auto weights = readAt<tenon_call_operand>(bytes, 32 + 24 + 2 * 24);
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->region, uint32_t(TENON_CALL_CONSTANTS));
  EXPECT_EQ(weights->size, 4u);
}

TEST_F(LibraryBackendTest, ConfigurationsAreThoseNamed) {
  EXPECT_TRUE(createBackend(npu, context, "fast"));
  EXPECT_EQ(createBackend(npu, context, "slow").error().message,
            "target n: no configuration is named \"slow\"; there are: fast");
}

TEST_F(LibraryBackendTest, PluginsMakeTheirOwnBackends) {
  static Npu first = makeNpu(), second = makeNpu();
  second.name = "m";
  for (const Npu *table : {&first, &second}) {
    const backend::BackendPlugin *plugin = makePlugin(*table, {});
    EXPECT_EQ(plugin->name, table->name);
    EXPECT_EQ(plugin->configs(*plugin), table->configs);
    auto made = plugin->create(context, "");
    ASSERT_TRUE(made);
    EXPECT_EQ((*made)->name(), table->name);
    EXPECT_EQ((*made)->claims().front().rule, table->name + ".conv2d.stride");
  }
}

TEST_F(LibraryBackendTest, TablesOfAnotherVersionAreNotRead) {
  // Reading these bytes as a table would crash.
  alignas(Npu) std::array<uint8_t, sizeof(Npu)> bytes;
  bytes.fill(0xff);
  const Npu &foreign = *reinterpret_cast<const Npu *>(bytes.data());
  const auto *plugin = makePlugin(foreign, {backend::kInterfaceVersion + 1, 1, 1});
  EXPECT_EQ(plugin->interfaceVersion, backend::kInterfaceVersion + 1);
  plugin = makePlugin(foreign, {backend::kInterfaceVersion, 1, 1});
  EXPECT_EQ(plugin->interfaceVersion, backend::kInterfaceVersion);
  EXPECT_NE(plugin->abi.layout, backend::kBuildAbi.layout); // what a loader refuses
  auto made = plugin->create(context, "");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("rebuild the plug-in"), std::string::npos);
}

} // namespace
} // namespace tenon::library
