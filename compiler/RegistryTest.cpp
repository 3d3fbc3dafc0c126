// SPDX-License-Identifier: Apache-2.0
// Targets by name, plug-ins by path: what is found, what is refused, in which words.
#include <cstdlib>
#include <gtest/gtest.h>

#include "compiler/Compiler.h"

namespace tenon::compiler {
namespace {

std::string textOf(const std::vector<TargetSpec> &targets) {
  std::string text;
  for (const TargetSpec &target : targets)
    text += target.name + "(" + target.config + ")";
  return text;
}

std::string whyNot(const std::vector<std::string> &plugins) {
  auto infos = listBackends(plugins);
  return infos ? "" : infos.error().message;
}

std::string compileFailure(const std::string &text, const std::string &name,
                           std::vector<TargetSpec> targets) {
  CompileOptions options;
  options.targets = std::move(targets);
  auto made =
      compileModel({reinterpret_cast<const uint8_t *>(text.data()), text.size()}, name, options);
  return made ? "" : made.error().message;
}

TEST(ParseTargets, AppendsTheLastResort) {
  EXPECT_EQ(textOf(*parseTargets("alpha:a+b=1,beta")), "alpha(a+b=1)beta()host()");
  EXPECT_EQ(textOf(*parseTargets("alpha:/dir/file.json,host:x86-64-v2")),
            "alpha(/dir/file.json)host(x86-64-v2)");
}

TEST(ParseTargets, RefusesEmptyAndRepeatedNames) {
  EXPECT_NE(parseTargets("").error().message.find("a name is empty"), std::string::npos);
  EXPECT_NE(parseTargets("a,,b").error().message.find("a name is empty"), std::string::npos);
  EXPECT_NE(parseTargets(":x").error().message.find("a name is empty"), std::string::npos);
  EXPECT_EQ(parseTargets("a:1,b,a:2").error().message, "--target a:1,b,a:2: a is named twice");
}

TEST(Registry, ListsBuiltInsThenPlugins) {
  auto infos = listBackends({TOY_ALPHA});
  ASSERT_TRUE(infos) << infos.error().message;
  EXPECT_EQ(infos->front().origin, "built in");
  EXPECT_EQ(infos->back().name, "alpha");
  EXPECT_EQ(infos->back().origin, TOY_ALPHA);
}

TEST(Registry, LetsAPluginReplaceABuiltIn) {
  const size_t builtIn = listBackends({})->size();
  auto infos = listBackends({TEST_REPLACEMENT});
  ASSERT_TRUE(infos) << infos.error().message;
  EXPECT_EQ(infos->size(), builtIn);
  size_t replaced = 0;
  for (const BackendInfo &info : *infos)
    replaced += info.name == "host" && info.origin == TEST_REPLACEMENT;
  EXPECT_EQ(replaced, 1u);
}

TEST(Registry, LoadsWhatTheEnvironmentNames) {
  setenv("TENON_PLUGIN_PATH", (std::string(":") + TOY_ALPHA + ":").c_str(), 1);
  auto infos = listBackends({});
  unsetenv("TENON_PLUGIN_PATH");
  ASSERT_TRUE(infos) << infos.error().message;
  EXPECT_EQ(infos->back().name, "alpha");
}

TEST(Registry, SaysWhichSideToRebuild) {
  EXPECT_NE(whyNot({TEST_OLD}).find("; rebuild the plug-in"), std::string::npos)
      << whyNot({TEST_OLD});
  EXPECT_NE(whyNot({TEST_NEW}).find("; rebuild the compiler"), std::string::npos)
      << whyNot({TEST_NEW});
}

TEST(Registry, NamesLibrariesThatAreNoPlugins) {
  EXPECT_NE(whyNot({"no_such_file.so"}).find("no_such_file.so"), std::string::npos);
  EXPECT_NE(whyNot({TOY_DEVICE}).find("does not export tenon_backend_v1"), std::string::npos);
}

TEST(CompileModel, RefusesInOneLine) {
  const std::vector<TargetSpec> host = {{"host", ""}};
  EXPECT_EQ(compileFailure("", "d/a.bin", host),
            "a.bin: is no model file that Tenon reads; use TFLite (.tflite)");
  EXPECT_EQ(compileFailure("module {}", "a.mlir", host),
            "a.mlir: has no function @main of one block");
  EXPECT_EQ(compileFailure("func.func @main() {", "a.mlir", host).find('\n'), std::string::npos);
  EXPECT_EQ(compileFailure("module {}", "a.mlir", {{"nobody", ""}}).substr(0, 48),
            "target nobody: no backend has this name; there a");
  EXPECT_EQ(compileFailure("module {}", "a.mlir", {{"host", "z80"}}).substr(0, 33),
            "target host: no CPU level \"z80\"; ");
  EXPECT_EQ(compileFailure("module {}", "a.mlir", {}), "no target is named; use --target host");
}

TEST(CompileModel, NamesTheOperatorThatNobodyTakes) {
  EXPECT_EQ(
      compileFailure(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
      %0 = tenon.custom "DETECT"(%x) options {} : (tensor<4xf32>) -> tensor<1xf32> loc("post"("DETECT":7:0))
      return %0 : tensor<1xf32>
    })",
                     "a.mlir", {{"host", ""}}),
      "a.mlir: operator 7 \"post\" (DETECT): no target takes it; host: no host kernel is called "
      "\"DETECT\" (host.kernel); remove the operator from the model");
}

} // namespace
} // namespace tenon::compiler
