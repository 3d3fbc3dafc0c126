// SPDX-License-Identifier: Apache-2.0
// tenon compare: every tensor that both sides can show, bit against bit, in the model's order.
#include <filesystem>
#include <map>

#include <CLI/CLI.hpp>

#include "support/Files.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Compare.h"
#include "tools/tenon/Execution.h"
#include "tools/tenon/Inputs.h"
#include "tools/tenon/Json.h"
#include "tools/tenon/ModelOptions.h"
#include "tools/tenon/Npy.h"
#include "tools/tenon/Progress.h"

namespace tenon::cli {
namespace {

using package::Package;

/// One side: tensors by their name in the model.
using Tensors = std::map<std::string, Array>;

/// A model operator's first output, seen from both sides.
struct Row {
  package::Operator op;
  bool onTarget = false, onReference = false;
  Difference difference;
  bool equal() const { return difference.different == 0; }
  bool compared() const { return onTarget && onReference; }
};

struct Comparison {
  std::vector<Row> rows;
  const Row *firstDifferent() const {
    for (const Row &row : rows)
      if (row.compared() && !row.equal())
        return &row;
    return nullptr;
  }
  size_t comparedCount() const {
    return size_t(
        std::count_if(rows.begin(), rows.end(), [](auto &row) { return row.compared(); }));
  }
};

/// "a_b.npy" of "a/b".
std::string fileOf(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name + ".npy";
}

std::string statusOf(const Row &row) {
  if (row.compared())
    return row.equal() ? "equal" : "different";
  return !row.onTarget ? "fused away" : "no reference";
}

class CompareCommand : public Command {
public:
  void declare(CLI::App &app) override {
    model.declare(app, "MODEL");
    app.add_option("--against", against,
                   "Targets as in --target, or a folder with NAME.npy a tensor ('/' in a name is "
                   "'_') and K.npy for output K")
        ->option_text("TARGETS|DIR [" + against + "]");
    app.add_option("-i,--input", inputs, "As in tenon run; without it, random values of --seed")
        ->option_text("FILE")
        ->allow_extra_args(false);
    app.add_option("--seed", seed, "Of the random inputs")->option_text("N [0]");
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    auto compiled = compileFile(model, true);
    if (!compiled)
      return tl::unexpected(compiled.error());
    auto values = inputs.empty()
                      ? Expected<std::vector<Array>>(randomInputs(compiled->package, seed))
                      : readInputs(compiled->package, inputs);
    if (!values)
      return tl::unexpected(values.error());
    auto ours = tensorsOf(compiled->package, *values);
    if (!ours)
      return tl::unexpected(ours.error());
    auto theirs = referenceTensors(compiled->package, *values);
    if (!theirs)
      return tl::unexpected(theirs.error());
    auto comparison = compareAll(compiled->package, *ours, *theirs);
    if (!comparison)
      return tl::unexpected(comparison.error());
    auto printed = json ? printJson(jsonOf(*comparison)) : print(textOf(*comparison));
    return printed.map([&] { return comparison->firstDifferent() ? kFailed : kDone; });
  }

private:
  Expected<Tensors> tensorsOf(const Package &package, const std::vector<Array> &values) {
    Progress progress(model.progress);
    progress.stage("run");
    auto bytes = package::write(package);
    if (!bytes)
      return fail(bytes.error(), model.path);
    auto result = execute(*bytes, values, {});
    if (!result)
      return fail(result.error(), model.path);
    Tensors tensors;
    for (size_t i = 0; i < result->outputs.size(); ++i)
      tensors.emplace(package.tensors[package.outputs[i]].name, std::move(result->outputs[i]));
    return tensors;
  }

  Expected<Tensors> referenceTensors(const Package &package, const std::vector<Array> &values) {
    if (std::filesystem::is_directory(against))
      return readFolder(package);
    auto compiled = compileFile(model, against, true);
    if (!compiled)
      return tl::unexpected(compiled.error());
    return tensorsOf(compiled->package, values);
  }

  /// The files of --against that are named as a tensor or numbered as an output.
  Expected<Tensors> readFolder(const Package &package) {
    Tensors tensors;
    const auto add = [&](const std::string &name, const std::string &file) -> Expected<void> {
      const std::string path = (std::filesystem::path(against) / file).string();
      std::error_code missing; // a name that the file system cannot hold is not there either
      if (tensors.contains(name) || !std::filesystem::exists(path, missing))
        return {};
      auto array = readFile(path).and_then([](const Bytes &bytes) { return parseNpy(bytes); });
      if (!array)
        return fail(array.error(), path);
      tensors.emplace(name, std::move(*array));
      return {};
    };
    for (size_t i = 0; i < package.outputs.size(); ++i) {
      const std::string &name = package.tensors[package.outputs[i]].name;
      for (const std::string &file : {fileOf(name), fmt::format("{}.npy", i)})
        if (auto added = add(name, file); !added)
          return tl::unexpected(added.error());
    }
    return tensors;
  }

  Expected<Comparison> compareAll(const Package &package, const Tensors &ours,
                                  const Tensors &theirs) {
    Comparison comparison;
    for (const package::Operator &op : package.operators) {
      auto a = ours.find(op.name), b = theirs.find(op.name);
      Row row{op, a != ours.end(), b != theirs.end(), {}};
      if (row.compared()) {
        auto difference = compareArrays(a->second, b->second);
        if (!difference)
          return fail("operator {} \"{}\" ({}): {} has {}", op.index, op.name, op.type,
                      model.targets, difference.error().message + " of " + against);
        row.difference = *difference;
      }
      comparison.rows.push_back(std::move(row));
    }
    if (comparison.comparedCount() == 0)
      return fail("{}: no tensor of the model is there to compare; see tenon compare --help for "
                  "the names",
                  against);
    return comparison;
  }

  Json jsonOf(const Comparison &comparison) const {
    Json rows = Json::array();
    for (const Row &row : comparison.rows)
      rows.push_back({{"index", row.op.index},
                      {"name", row.op.name},
                      {"type", row.op.type},
                      {"status", statusOf(row)},
                      {"elements", row.difference.elements},
                      {"different", row.difference.different},
                      {"largest_difference", row.difference.largest}});
    const Row *first = comparison.firstDifferent();
    return {{"target", model.targets},
            {"against", against},
            {"equal", first == nullptr},
            {"first_difference", first ? Json{{"index", first->op.index},
                                              {"name", first->op.name},
                                              {"type", first->op.type}}
                                       : Json()},
            {"operators", rows}};
  }

  std::string textOf(const Comparison &comparison) const {
    std::vector<std::vector<std::string>> rows = {
        {"#", "operator", "status", "elements", "different", "largest", "name"}};
    for (const Row &row : comparison.rows)
      rows.push_back({fmt::to_string(row.op.index), printable(row.op.type), statusOf(row),
                      fmt::to_string(row.difference.elements),
                      fmt::to_string(row.difference.different),
                      fmt::format("{}", row.difference.largest), printable(row.op.name)});
    std::string text = formatTable(rows);
    if (const Row *first = comparison.firstDifferent())
      return text + fmt::format("\nfirst difference: operator {} \"{}\" ({}): {} of {} elements\n",
                                first->op.index, printable(first->op.name),
                                printable(first->op.type), first->difference.different,
                                first->difference.elements);
    return text + fmt::format("\n{} of {} operators compared, all bits equal\n",
                              comparison.comparedCount(), comparison.rows.size());
  }

  ModelOptions model;
  std::string against = "host";
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeCompareCommand() { return std::make_unique<CompareCommand>(); }

} // namespace tenon::cli
