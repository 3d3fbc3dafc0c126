// SPDX-License-Identifier: Apache-2.0
// tenon run: one inference, its outputs and what it cost.
#include <filesystem>
#include <numeric>

#include <CLI/CLI.hpp>

#include "support/Files.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Execution.h"
#include "tools/tenon/Inputs.h"
#include "tools/tenon/Interrupt.h"
#include "tools/tenon/Json.h"
#include "tools/tenon/Labels.h"
#include "tools/tenon/ModelOptions.h"
#include "tools/tenon/Npy.h"
#include "tools/tenon/Progress.h"

namespace tenon::cli {
namespace {

constexpr size_t kShownScores = 5;
constexpr size_t kShownValues = 10;

class RunCommand : public Command {
public:
  void declare(CLI::App &app) override {
    model.declare(app, "MODEL|PACKAGE");
    app.add_option("-i,--input", inputs,
                   "A file an input, in the model's order, or NAME=FILE: .npy with its type and "
                   "shape, or a picture, resized whole to [1,H,W,C] and cast (int8: pixel - 128)")
        ->option_text("FILE")
        ->allow_extra_args(false);
    app.add_option("--labels", labelFile, "Names of output 0's classes, a line each: top five")
        ->option_text("FILE");
    app.add_option("--output-dir", outputDir, "Write outputs as DIR/0.npy, DIR/1.npy ...")
        ->option_text("DIR");
    app.add_option("--device", devices, "Device URI, sim: by default (may be repeated)")
        ->option_text("URI")
        ->allow_extra_args(false);
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    auto loaded = loadFile(model);
    if (!loaded)
      return tl::unexpected(loaded.error());
    auto arrays = readInputs(loaded->package, inputs);
    if (!arrays)
      return tl::unexpected(arrays.error());
    auto result = executeShown(loaded->bytes, *arrays);
    if (!result)
      return fail(result.error(), model.path);
    auto top = scores(loaded->package, *result);
    if (!top)
      return fail(top.error(), labelFile);
    if (auto written = writeOutputs(*result); !written)
      return tl::unexpected(written.error());
    auto printed = json ? printJson(jsonOf(loaded->package, *result, *top))
                        : print(textOf(loaded->package, *result, *top));
    return printed.map([] { return kDone; });
  }

private:
  Expected<ExecutionResult> executeShown(const Bytes &bytes, const std::vector<Array> &arrays) {
    Progress progress(model.progress);
    progress.stage("run");
    return execute(bytes, arrays, devices);
  }

  Expected<std::vector<Score>> scores(const package::Package &package,
                                      const ExecutionResult &result) {
    if (labelFile.empty())
      return std::vector<Score>();
    auto text = readFile(labelFile);
    if (!text)
      return tl::unexpected(Error{std::string(text.error().message).substr(labelFile.size() + 2)});
    if (result.outputs.empty())
      return fail("the network has no output");
    const package::Tensor &tensor = package.tensors[package.outputs[0]];
    return topScores(result.outputs[0], tensor.scale, tensor.zeroPoint, parseLabels(*text),
                     kShownScores);
  }

  std::string pathOf(size_t output) const {
    return (std::filesystem::path(outputDir) / fmt::format("{}.npy", output)).string();
  }

  Expected<void> writeOutputs(const ExecutionResult &result) {
    if (outputDir.empty())
      return {};
    std::error_code error;
    std::filesystem::create_directories(outputDir, error);
    if (error)
      return fail("{}: {}", outputDir, error.message());
    UninterruptedWrite guard;
    for (size_t i = 0; i < result.outputs.size(); ++i)
      if (auto written = writeFile(pathOf(i), formatNpy(result.outputs[i])); !written)
        return written;
    return {};
  }

  Json jsonOf(const package::Package &package, const ExecutionResult &result,
              const std::vector<Score> &top) const {
    Json outputs = Json::array(), steps = Json::array(), ranks = Json::array();
    for (size_t i = 0; i < result.outputs.size(); ++i) {
      const package::Tensor &tensor = package.tensors[package.outputs[i]];
      Json row = {{"name", tensor.name},
                  {"type", package::nameOf(tensor.type)},
                  {"shape", tensor.shape},
                  {"scale", tensor.scale},
                  {"zero_point", tensor.zeroPoint}};
      if (!outputDir.empty())
        row["file"] = pathOf(i);
      outputs.push_back(row);
    }
    for (const StepCost &step : result.steps)
      steps.push_back({{"target", step.target},
                       {"milliseconds", step.milliseconds},
                       {"cycles", step.cycles},
                       {"macs", step.macs},
                       {"dram_bytes", step.dramBytes}});
    for (const Score &score : top)
      ranks.push_back({{"index", score.index}, {"label", score.label}, {"score", score.value}});
    Json all = {{"model", package.modelName},
                {"outputs", outputs},
                {"steps", steps},
                {"milliseconds", result.milliseconds}};
    if (!labelFile.empty())
      all["top"] = ranks;
    return all;
  }

  static std::string firstValues(const Array &array) {
    const size_t count = array.data.size() / package::sizeOf(array.type);
    std::string text;
    for (size_t i = 0; i < std::min(count, kShownValues); ++i)
      text += fmt::format(" {}", valueAt(array, i));
    return text + (count > kShownValues ? " ..." : "");
  }

  std::string textOf(const package::Package &package, const ExecutionResult &result,
                     const std::vector<Score> &top) const {
    std::string text;
    for (size_t i = 0; i < result.outputs.size(); ++i) {
      const package::Tensor &tensor = package.tensors[package.outputs[i]];
      text += fmt::format("output {} \"{}\" {}:{}\n", i, printable(tensor.name),
                          describe(tensor.type, tensor.shape), firstValues(result.outputs[i]));
    }
    for (const Score &score : top)
      text += fmt::format("{:8.4f}  {}\n", score.value, printable(score.label));
    for (const StepCost &step : result.steps)
      text += fmt::format("{}: {:.3f} ms{}\n", step.target, step.milliseconds,
                          step.cycles ? fmt::format(", {} device cycles", step.cycles) : "");
    return text;
  }

  ModelOptions model;
  std::vector<std::string> inputs, devices;
  std::string labelFile, outputDir;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeRunCommand() { return std::make_unique<RunCommand>(); }

} // namespace tenon::cli
