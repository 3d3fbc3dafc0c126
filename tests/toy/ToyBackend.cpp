// SPDX-License-Identifier: Apache-2.0
// The toy's compiler side: claims by configuration, code for a small vector machine.
#include "ToyCode.h"
#include "ToyPatterns.h"
#include "backend/api/Backend.h"
#include "ir/OperatorLocation.h"
#include "ir/TenonDialect.h"

namespace tenon::toy {
namespace {

constexpr const char *kName = TOY_NAME;

backend::CompileFailure failed(size_t function, std::vector<int64_t> operators,
                               const std::string &rule, const std::string &reason,
                               const std::string &value = "", const std::string &limit = "") {
  return {function,
          std::move(operators),
          {std::string(kName) + rule, reason, value, limit, "split the network"}};
}

class ToyBackend : public backend::Backend {
public:
  explicit ToyBackend(ToyConfig made) : settings(std::move(made)) {
    for (const std::string &claim : settings.claims)
      patternTable.push_back(makePattern(kName, claim, settings));
  }

  std::string name() const override { return kName; }
  std::string config() const override { return settings.text; }
  const std::vector<std::unique_ptr<backend::Pattern>> &patterns() const override {
    return patternTable;
  }

  std::optional<backend::Refusal> takesAlone(mlir::Operation *op) const override {
    const std::string operation = op->getName().getStringRef().str();
    for (const std::string &taken : settings.alone)
      if (operation == "tosa." + taken)
        return std::nullopt;
    return backend::Refusal{std::string(kName) + ".operator", operation + " is not claimed",
                            operation, settings.text, "claim it in the target's configuration"};
  }

  backend::Cost cost(mlir::Operation *) const override { return {settings.costNs}; }
  backend::RegionCost regionCost() const override {
    return {settings.launchNs, settings.perKilobyteNs};
  }

  backend::CompileResult compile(llvm::ArrayRef<backend::PartitionFunction> functions) override {
    backend::CompileResult result;
    for (size_t i = 0; i < functions.size() && result.failures.empty(); ++i)
      compileOne(i, functions[i], result);
    return result;
  }

private:
  void compileOne(size_t index, const backend::PartitionFunction &partition,
                  backend::CompileResult &result) {
    llvm::SmallVector<mlir::Operation *> work;
    for (mlir::Operation &op : partition.function->getRegion(0).front().without_terminator())
      if (!op.hasTrait<mlir::OpTrait::ConstantLike>())
        work.push_back(&op);
    if (work.size() > settings.compositeLimit) {
      result.failures.push_back(refuseExcess(index, work));
      return;
    }
    auto code = emitCode(partition.function);
    if (!code) {
      result.failures.push_back(failed(index, {}, ".code", code.error().message));
      return;
    }
    package::Partition step;
    step.target = kName;
    step.kind = package::CodeKind::Device;
    step.symbol = partition.symbol;
    step.deviceConfig = "toy";
    step.deviceAbi = kCommandVersion;
    step.commands = std::move(code->commands);
    step.constants = std::move(code->constants);
    result.compiled.partitions.push_back(std::move(step));
  }

  backend::CompileFailure refuseExcess(size_t index, llvm::ArrayRef<mlir::Operation *> work) const {
    std::vector<int64_t> excess;
    for (mlir::Operation *op : work.drop_front(settings.compositeLimit))
      for (const ir::ModelOperator &named : ir::getModelOperators(op->getLoc()))
        excess.push_back(named.index);
    const std::string size = std::to_string(work.size());
    const std::string limit = std::to_string(settings.compositeLimit);
    return failed(index, excess, ".limit", size + " composites exceed " + limit, size, limit);
  }

  ToyConfig settings;
  std::vector<std::unique_ptr<backend::Pattern>> patternTable;
};

Expected<std::unique_ptr<backend::Backend>> create(mlir::MLIRContext &, const std::string &text) {
  auto config = parseConfig(text);
  if (!config)
    return tl::unexpected(config.error());
  return std::make_unique<ToyBackend>(std::move(*config));
}

} // namespace
} // namespace tenon::toy

extern "C" const tenon::backend::BackendPlugin *tenon_backend_v1() {
  static const tenon::backend::BackendPlugin plugin = {tenon::backend::kInterfaceVersion, TOY_NAME,
                                                       "a toy for tests", tenon::toy::create};
  return &plugin;
}
