// SPDX-License-Identifier: Apache-2.0
// tenon estimate: cycles and bytes by the timing model, with the bounds they are measured against.
#include <CLI/CLI.hpp>

#include "tools/tenon/Commands.h"
#include "tools/tenon/Estimate.h"
#include "tools/tenon/Json.h"
#include "tools/tenon/ModelOptions.h"

namespace tenon::cli {
namespace {

Json jsonOf(const Estimate &estimate) {
  Json layers = Json::array();
  for (const LayerEstimate &layer : estimate.layers)
    layers.push_back({{"name", layer.name},
                      {"operators", layer.operators},
                      {"partition", layer.partition},
                      {"first_cycle", layer.firstCycle},
                      {"cycles", layer.cycles},
                      {"macs", layer.macs},
                      {"dram_bytes", layer.dramBytes}});
  return {{"target", estimate.target},
          {"cycles", estimate.cycles},
          {"milliseconds", estimate.milliseconds},
          {"macs", estimate.macs},
          {"utilization", estimate.utilization},
          {"dram_bytes", estimate.dramBytes},
          {"dram_minimum_bytes", estimate.dramMinimumBytes},
          {"machine_bound_cycles", estimate.machineBoundCycles},
          {"roofline_cycles", estimate.rooflineCycles},
          {"untimed", estimate.untimed},
          {"layers", layers}};
}

std::string textOf(const Estimate &estimate) {
  std::vector<std::vector<std::string>> rows = {
      {"layer", "first cycle", "cycles", "MACs", "DRAM bytes", "operators"}};
  for (const LayerEstimate &layer : estimate.layers)
    rows.push_back({printable(layer.name), fmt::to_string(layer.firstCycle),
                    fmt::to_string(layer.cycles), fmt::to_string(layer.macs),
                    fmt::to_string(layer.dramBytes),
                    fmt::format("{}", fmt::join(layer.operators, " "))});
  std::string text = formatTable(rows);
  text += fmt::format("\n{}: {} cycles, {:.3f} ms, {} MACs, {:.1f} % of the array used\n",
                      printable(estimate.target), estimate.cycles, estimate.milliseconds,
                      estimate.macs, 100 * estimate.utilization);
  text += fmt::format("DRAM {} bytes, at least {}; bound by the machine {} cycles, by the roofline "
                      "{}\n",
                      estimate.dramBytes, estimate.dramMinimumBytes, estimate.machineBoundCycles,
                      estimate.rooflineCycles);
  if (estimate.hostPartitions)
    text += fmt::format("{} host partitions are not counted\n", estimate.hostPartitions);
  for (const std::string &target : estimate.untimed)
    text += fmt::format("a partition on {} is not counted: no timing model for its commands\n",
                        printable(target));
  return text;
}

class EstimateCommand : public Command {
public:
  void declare(CLI::App &app) override {
    model.declare(app, "MODEL|PACKAGE");
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    auto loaded = loadFile(model);
    if (!loaded)
      return tl::unexpected(loaded.error());
    auto estimate = estimatePackage(loaded->package);
    if (!estimate)
      return fail(estimate.error(), model.path);
    auto printed = json ? printJson(jsonOf(*estimate)) : print(textOf(*estimate));
    return printed.map([] { return kDone; });
  }

private:
  ModelOptions model;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeEstimateCommand() { return std::make_unique<EstimateCommand>(); }

} // namespace tenon::cli
