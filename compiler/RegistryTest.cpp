// SPDX-License-Identifier: Apache-2.0
// Targets by name, plug-ins by path: what is found, what is refused, in which words.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "compiler/Registry.h"

namespace tenon::compiler {
namespace {

std::string textOf(const std::vector<TargetSpec> &targets) {
  std::string text;
  for (const TargetSpec &target : targets)
    text += target.name + "(" + target.config + ")";
  return text;
}

std::string pluginFile(const std::string &name) {
  return std::string(TEST_PLUGINS) + "/" + name + ".so";
}

/// What a compilation says that is to use \p plugin.
std::string whyNot(const std::string &plugin) {
  const std::string text = "module {}";
  CompileOptions options;
  options.targets = {{"host", ""}};
  options.plugins = {plugin};
  auto made = compileModel({reinterpret_cast<const uint8_t *>(text.data()), text.size()}, "a.mlir",
                           options);
  return made ? "" : made.error().message;
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
  const BackendList list = listBackends({TOY_ALPHA});
  EXPECT_EQ(list.backends.front().origin, "built in");
  EXPECT_EQ(list.backends.back().name, "alpha");
  EXPECT_EQ(list.backends.back().origin, TOY_ALPHA);
  EXPECT_TRUE(list.skipped.empty());
  for (const BackendInfo &info : list.backends)
    EXPECT_EQ(info.configs.empty(), info.origin != "built in") << info.name;
}

TEST(Registry, LetsAPluginReplaceABuiltIn) {
  const size_t builtIn = listBackends({}).backends.size();
  const std::string replacement = pluginFile("plugin_replacement");
  const BackendList list = listBackends({replacement});
  EXPECT_EQ(list.backends.size(), builtIn);
  size_t replaced = 0;
  for (const BackendInfo &info : list.backends)
    replaced += info.name == "host" && info.origin == replacement;
  EXPECT_EQ(replaced, 1u);
}

/// A folder for links to plug-ins.
class Folder : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "pluginsXXXXXX";
    path = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(path); }

  std::string link(const std::string &library, const std::string &name) {
    std::filesystem::create_symlink(library, path + "/" + name);
    return path + "/" + name;
  }

  std::string path;
};

TEST_F(Folder, PluginPathNamesFilesAndFolders) {
  const std::string loaded = link(TOY_ALPHA, "a.so"), device = link(TOY_DEVICE, "b.so");
  link(TOY_ALPHA, "no-library.txt");
  link(pluginFile("plugin_replacement"), "c.so");
  setenv("TENON_PLUGIN_PATH", (":" + path + ":/nowhere.so:" + pluginFile("plugin_old")).c_str(), 1);
  const BackendList list = listBackends({});
  const std::string compiled = whyNot(loaded);
  unsetenv("TENON_PLUGIN_PATH");
  EXPECT_EQ(list.backends.back().name, "alpha");
  EXPECT_EQ(list.backends.back().origin, loaded);
  ASSERT_EQ(list.skipped.size(), 3u);
  EXPECT_EQ(list.skipped[0].reason, device + ": is a device library; name it in TENON_DEVICE_PATH");
  EXPECT_EQ(list.skipped[1].reason, "/nowhere.so: cannot be read: No such file or directory");
  EXPECT_EQ(list.skipped[2].path, pluginFile("plugin_old"));
  // What is merely found is no reason to fail.
  EXPECT_EQ(compiled.find("nowhere"), std::string::npos) << compiled;
}

TEST_F(Folder, ATargetThatIsNotThereTellsWhatWasNotLoaded) {
  setenv("TENON_PLUGIN_PATH", pluginFile("plugin_old").c_str(), 1);
  const std::string text = compileFailure("module {}", "a.mlir", {{"old", ""}});
  unsetenv("TENON_PLUGIN_PATH");
  EXPECT_NE(text.find("target old: no backend has this name"), std::string::npos) << text;
  EXPECT_NE(text.find("; not loaded: " + pluginFile("plugin_old") + ": made for"),
            std::string::npos)
      << text;
}

TEST_F(Folder, TellsWhenAPluginHidesAnother) {
  const std::string first = link(TOY_ALPHA, "first.so");
  std::filesystem::copy_file(TOY_ALPHA, path + "/second.so");
  const BackendList list = listBackends({path});
  EXPECT_EQ(list.backends.back().origin, path + "/second.so");
  ASSERT_EQ(list.skipped.size(), 1u);
  EXPECT_EQ(list.skipped.front().reason,
            first + ": alpha is " + path + "/second.so's, which comes later");
}

/// A plug-in, and the words of its refusal, which name the file and the side to rebuild.
TEST(Registry, SaysWhichSideToRebuild) {
  const std::string now = std::to_string(backend::kInterfaceVersion);
  const std::pair<const char *, std::string> refused[] = {
      {"plugin_old", "this compiler has " + now + "; rebuild the plug-in"},
      {"plugin_new", "this compiler has " + now + "; rebuild the compiler"},
      {"plugin_old_llvm", "; rebuild the plug-in with this compiler's headers"},
      {"plugin_new_llvm", "; rebuild the compiler with the plug-in's LLVM"},
      {"plugin_layout", "; rebuild the plug-in with this compiler's headers"},
      {"plugin_other_llvm", "built with MLIR 21.1, this compiler with 22.1; rebuild the plug-in "
                            "with MLIR 22.1"},
      {"plugin_name", "no name of lower-case letters"},
      {"plugin_throws", "tenon_backend_v1 threw \"not today\"; repair the plug-in"},
      {"plugin_nothing", "offers no backend; rebuild the plug-in"},
      {"plugin_undefined", "needs nobodyDefines(int), which neither it nor this compiler"},
  };
  for (const auto &[plugin, words] : refused) {
    const std::string text = whyNot(pluginFile(plugin));
    EXPECT_EQ(text.find(pluginFile(plugin) + ": "), 0u) << text;
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_EQ(listBackends({pluginFile(plugin)}).skipped.size(), 1u) << plugin;
  }
}

TEST(Registry, NamesLibrariesThatAreNoPlugins) {
  EXPECT_NE(whyNot("no_such_file.so").find("no_such_file.so"), std::string::npos);
  EXPECT_NE(whyNot(TOY_DEVICE).find("is a device library"), std::string::npos);
  EXPECT_NE(whyNot(__FILE__).find("is no 64-bit shared library"), std::string::npos);
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
