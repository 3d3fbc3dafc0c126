// SPDX-License-Identifier: Apache-2.0
// tenon new-npu: a project for an NPU of one's own, which builds and passes its tests as it is.
#include <CLI/CLI.hpp>

#include "compiler/Compiler.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Json.h"
#include "tools/tenon/NpuTemplate.h"

namespace tenon::cli {
namespace {

class NewNpuCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("NAME", name, "The NPU's name, the word in --target: a lower-case word")
        ->required()
        ->option_text(" ");
    app.add_option("-o,--output", folder, "The folder to make")->option_text("FOLDER [NAME]");
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    if (folder.empty())
      folder = name;
    auto written = checkName().and_then([&] { return writeNpuProject(name, folder); });
    if (!written)
      return tl::unexpected(written.error());
    auto printed = json ? printJson(asJson()) : print(asText());
    return printed.map([] { return kDone; });
  }

private:
  Expected<void> checkName() const {
    std::vector<std::string> taken;
    for (const compiler::BackendInfo &info : compiler::listBackends({}).backends)
      taken.push_back(info.name);
    return checkNpuName(name, taken);
  }

  std::vector<std::string> nextSteps() const {
    return {fmt::format("cmake -S {0} -B {0}/build", folder),
            fmt::format("cmake --build {}/build", folder),
            fmt::format("ctest --test-dir {}/build --output-on-failure", folder)};
  }

  Json asJson() const {
    Json files = Json::array();
    for (const TemplateFile &file : npuTemplate())
      files.push_back(file.path);
    return {{"name", name}, {"folder", folder}, {"files", files}, {"next", nextSteps()}};
  }

  std::string asText() const {
    std::string text = fmt::format("{} holds a project that works as it is:\n", printable(folder));
    for (const std::string &step : nextSteps())
      text += "  " + printable(step) + "\n";
    return text +
           "What to edit stands under four headings, patterns, constraints, code and device, in "
           "src/;\nREADME.md says more.\n";
  }

  std::string name, folder;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeNewNpuCommand() { return std::make_unique<NewNpuCommand>(); }

} // namespace tenon::cli
