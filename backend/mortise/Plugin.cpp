// SPDX-License-Identifier: Apache-2.0
// Mortise's answers to the partitioner, and its entry in the list of backends.
#include "backend/mortise/Plugin.h"

#include "backend/mortise/emit/CompileLayers.h"
#include "backend/mortise/select/Constraints.h"
#include "backend/mortise/select/Cost.h"
#include "backend/mortise/select/Patterns.h"
#include "backend/mortise/select/Select.h"
#include "hardware/mortise/Config.h"
#include "ir/TenonDialect.h"

namespace tenon::mortise {
namespace {

class MortiseBackend : public backend::Backend {
public:
  explicit MortiseBackend(Config config) : machine(std::move(config)) {}

  std::string name() const override { return "mortise"; }
  std::string config() const override { return machine.name; }
  const std::vector<std::unique_ptr<backend::Pattern>> &patterns() const override { return table; }
  std::optional<backend::Refusal> takesAlone(mlir::Operation *op) const override {
    return refusalAlone(op);
  }
  backend::Cost cost(mlir::Operation *op) const override { return estimateCost(op, machine); }
  backend::RegionCost regionCost() const override { return estimateRegionCost(machine); }

  backend::CompileResult compile(llvm::ArrayRef<backend::PartitionFunction> functions) override {
    backend::CompileResult result;
    for (auto [index, partition] : llvm::enumerate(functions))
      compileOne(index, partition, result);
    return result;
  }

private:
  void compileOne(size_t index, const backend::PartitionFunction &partition,
                  backend::CompileResult &result) {
    auto graph = select(partition.function);
    if (!graph) {
      result.failures.push_back({index, graph.error().operators, graph.error().refusal});
      return;
    }
    auto code = compileLayers(*graph, machine);
    if (!code) {
      result.failures.push_back(
          {index, code.error().operators, refuse("mortise.memory", code.error().message)});
      return;
    }
    package::Partition step;
    step.target = name();
    step.kind = package::CodeKind::Device;
    step.symbol = partition.symbol;
    step.deviceConfig = toJson(machine);
    step.deviceAbi = kCommandVersion;
    step.commands = std::move(code->commands);
    step.constants = std::move(code->constants);
    step.scratchBytes = code->scratchBytes;
    step.debug = std::move(code->debug);
    step.costs = std::move(code->costs);
    result.compiled.partitions.push_back(std::move(step));
  }

  Config machine;
  std::vector<std::unique_ptr<backend::Pattern>> table = makePatterns();
};

Expected<std::unique_ptr<backend::Backend>> create(mlir::MLIRContext &context,
                                                   const std::string &text) {
  auto config = loadConfig(text.empty() ? "medium" : text);
  if (!config)
    return fail(config.error(), "target mortise");
  context.loadDialect<mlir::tosa::TosaDialect, mlir::func::FuncDialect, ir::TenonDialect>();
  return std::make_unique<MortiseBackend>(std::move(*config));
}

std::vector<std::string> configs() {
  std::vector<std::string> names;
  for (const ShippedConfig &config : shippedConfigs())
    names.emplace_back(config.name);
  return names;
}

} // namespace

const backend::BackendPlugin *plugin() {
  static const backend::BackendPlugin offer = {
      backend::kInterfaceVersion, "mortise", "the Mortise NPU for int8 networks", create, configs};
  return &offer;
}

} // namespace tenon::mortise
