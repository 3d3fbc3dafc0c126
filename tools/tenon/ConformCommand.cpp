// SPDX-License-Identifier: Apache-2.0
// tenon conform: does a backend keep the word of its claims? A score sheet; exit 1 if not.
#include <cstdlib>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "conform/Sheet.h"
#include "conform/WriteModel.h"
#include "package/Format.h"
#include "support/Files.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Execution.h"
#include "tools/tenon/Json.h"
#include "tools/tenon/Npy.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;
using conform::Outcome;
using conform::Score;

constexpr const char *kReference = "the host, itself held against LiteRT's reference kernels";

Expected<std::vector<Bytes>> runPackage(const package::Package &package,
                                        const std::vector<Bytes> &inputs) {
  auto bytes = package::write(package);
  if (!bytes)
    return tl::unexpected(bytes.error());
  std::vector<Array> arrays;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const package::Tensor &tensor = package.tensors[package.inputs[i]];
    arrays.push_back({tensor.type, tensor.shape, inputs[i]});
  }
  auto result = execute(*bytes, arrays, {});
  if (!result)
    return tl::unexpected(result.error());
  std::vector<Bytes> outputs;
  for (Array &array : result->outputs)
    outputs.push_back(std::move(array.data));
  return outputs;
}

/// The one target that a library of \p plugins offers.
Expected<std::string> targetOf(const std::vector<std::string> &plugins) {
  std::vector<std::string> names;
  for (const compiler::BackendInfo &info : compiler::listBackends(plugins).backends)
    for (const std::string &plugin : plugins)
      if (info.origin == plugin || fs::path(info.origin).parent_path() == fs::path(plugin))
        names.push_back(info.name);
  if (names.size() == 1)
    return names.front();
  return fail("--plugin offers {} targets{}; name one with --target", names.size(),
              names.empty() ? "" : fmt::format(" ({})", fmt::join(names, ", ")));
}

class ConformCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("--plugin", plugins,
                   "A library with the backend, or a folder of them (may be repeated)")
        ->option_text("PATH")
        ->allow_extra_args(false);
    app.add_option("--target", suite.target,
                   "The target to try, NAME[:CONFIG]; not needed if --plugin offers one alone")
        ->option_text("TARGET");
    app.add_option("--device-library", deviceLibrary,
                   "The library that runs the target's code, before those of TENON_DEVICE_PATH")
        ->option_text("PATH");
    app.add_option("--cases", suite.ordinary, "Ordinary cases a composite, beside those at edges")
        ->check(CLI::Range(0, 10000))
        ->capture_default_str()
        ->option_text("N [12]");
    app.add_option("--seed", suite.seed, "Of the cases and their values")->option_text("N [0]");
    app.add_option("--write-models", models,
                   "Write each case there: a .tflite and its inputs, for another reference")
        ->option_text("DIR");
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    if (auto ready = prepare(); !ready)
      return tl::unexpected(ready.error());
    auto result = conform::tryTarget(suite);
    if (!result)
      return tl::unexpected(result.error());
    if (writeFailure)
      return tl::unexpected(*writeFailure);
    const std::vector<Score> scores = conform::scoresOf(*result);
    const bool passed = std::ranges::all_of(scores, &Score::passed);
    auto printed =
        json ? printJson(jsonOf(*result, scores, passed)) : print(textOf(*result, scores, passed));
    return printed.map([&] { return passed ? kDone : kFailed; });
  }

private:
  Expected<void> prepare() {
    if (!deviceLibrary.empty()) {
      const char *others = std::getenv("TENON_DEVICE_PATH");
      const std::string path = deviceLibrary + (others && *others ? ":" + std::string(others) : "");
      setenv("TENON_DEVICE_PATH", path.c_str(), 1);
    }
    if (suite.target.empty()) {
      auto name = targetOf(plugins);
      if (!name)
        return tl::unexpected(name.error());
      suite.target = *name;
    }
    std::error_code error;
    if (!models.empty() && !fs::create_directories(models, error) && error)
      return fail("{}: {}", models, error.message());
    suite.plugins = plugins;
    suite.runner = runPackage;
    if (!models.empty())
      suite.each = [this](const Outcome &outcome, size_t number) {
        if (auto written = write(outcome.trial, number); !written && !writeFailure)
          writeFailure = written.error();
      };
    return {};
  }

  /// DIR/0007.tflite, DIR/0007.input-ROUND-INDEX.npy.
  Expected<void> write(const conform::Trial &trial, size_t number) const {
    const std::string stem = (fs::path(models) / fmt::format("{:04}", number)).string();
    if (auto written = writeFile(stem + ".tflite", conform::writeModel(trial.that)); !written)
      return written;
    const bool flat = trial.that.operation == "fully_connected";
    const auto &c = trial.that;
    const std::vector<int64_t> shape =
        flat ? std::vector{c.n, c.c} : std::vector{c.n, c.size[0], c.size[1], c.c};
    for (int round = 0; round < conform::kRounds; ++round)
      for (size_t i = 0; i < conform::inputCount(c); ++i) {
        const Array array{package::ElementType::I8, shape, conform::inputOf(c, i, round)};
        const std::string path = fmt::format("{}.input-{}-{}.npy", stem, round, i);
        if (auto written = writeFile(path, formatNpy(array)); !written)
          return written;
      }
    return {};
  }

  Json jsonOf(const conform::Result &result, const std::vector<Score> &scores, bool passed) const {
    Json composites = Json::array(), cases = Json::array(), untried = Json::array();
    for (const Score &score : scores)
      composites.push_back({{"composite", score.composite},
                            {"operation", score.operation},
                            {"cases", score.cases},
                            {"taken", score.taken},
                            {"right", score.right},
                            {"wrong", score.wrong},
                            {"refused_as_documented", score.documented},
                            {"refused_otherwise", score.undocumented},
                            {"not_tried", score.untried},
                            {"compile_ms", score.compileMilliseconds}});
    for (const Outcome &outcome : result.outcomes)
      cases.push_back({{"composite", outcome.trial.composite},
                       {"purpose", outcome.trial.purpose},
                       {"case", conform::describe(outcome.trial.that)},
                       {"verdict", conform::nameOf(outcome.verdict)},
                       {"passed", !conform::isWrong(outcome.verdict)},
                       {"detail", outcome.detail}});
    for (const conform::Untried &edge : result.untried)
      untried.push_back(
          {{"composite", edge.composite}, {"edge", edge.edge}, {"reason", edge.reason}});
    return {{"target", suite.target}, {"seed", suite.seed},       {"reference", kReference},
            {"passed", passed},       {"composites", composites}, {"cases", cases},
            {"not_tried", untried}};
  }

  std::string textOf(const conform::Result &result, const std::vector<Score> &scores,
                     bool passed) const {
    std::vector<std::vector<std::string>> rows = {{"composite", "cases", "taken", "right", "wrong",
                                                   "refused as documented", "otherwise",
                                                   "not tried", "compile ms"}};
    for (const Score &score : scores)
      rows.push_back({printable(score.composite), fmt::to_string(score.cases),
                      fmt::to_string(score.taken), fmt::to_string(score.right),
                      fmt::to_string(score.wrong), fmt::to_string(score.documented),
                      fmt::to_string(score.undocumented), fmt::to_string(score.untried),
                      fmt::format("{:.1f}", score.compileMilliseconds)});
    std::string text = formatTable(rows) + fmt::format("reference: {}\n", kReference);
    for (const conform::Untried &edge : result.untried)
      text +=
          printable(fmt::format("not tried: {}: {}: {}", edge.composite, edge.edge, edge.reason)) +
          "\n";
    for (const Outcome &outcome : result.outcomes)
      if (conform::isWrong(outcome.verdict))
        text += printable(fmt::format("{}: {}: {}: {}; {}", conform::nameOf(outcome.verdict),
                                      outcome.trial.composite, outcome.trial.purpose,
                                      outcome.detail, conform::describe(outcome.trial.that))) +
                "\n";
    return text + fmt::format("{}: {} cases, seed {}\n", passed ? "passed" : "failed",
                              result.outcomes.size(), suite.seed);
  }

  conform::Suite suite;
  std::vector<std::string> plugins;
  std::string deviceLibrary, models;
  std::optional<Error> writeFailure;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeConformCommand() { return std::make_unique<ConformCommand>(); }

} // namespace tenon::cli
