// SPDX-License-Identifier: Apache-2.0
// The host backend's answers to the partitioner, and its entry in the list of backends.
#include "backend/host/Plugin.h"

#include "backend/host/Capability.h"
#include "backend/host/Cost.h"
#include "backend/host/Dialects.h"
#include "backend/host/HostCompiler.h"

namespace tenon::host {
namespace {

class HostBackend : public backend::Backend {
public:
  explicit HostBackend(const hostkernels::CpuLevel &cpu) : cpu(cpu) {}

  std::string name() const override { return "host"; }
  std::string config() const override { return std::string(cpu.name); }
  const std::vector<std::unique_ptr<backend::Pattern>> &patterns() const override {
    return patternTable;
  }
  std::optional<backend::Refusal> takesAlone(mlir::Operation *op) const override {
    return checkCapability(op);
  }
  backend::Cost cost(mlir::Operation *op) const override { return estimateCost(op); }
  backend::CompileResult compile(llvm::ArrayRef<backend::PartitionFunction> functions) override {
    return compileFunctions(functions, cpu);
  }

private:
  hostkernels::CpuLevel cpu;
  std::vector<std::unique_ptr<backend::Pattern>> patternTable;
};

Expected<std::unique_ptr<backend::Backend>> create(mlir::MLIRContext &context,
                                                   const std::string &config) {
  auto cpu = hostkernels::findCpuLevel(config);
  if (!cpu)
    return fail("target host: no CPU level \"{}\"; use one of {}", config,
                hostkernels::cpuLevelNames());
  loadDialects(context);
  return std::make_unique<HostBackend>(*cpu);
}

std::vector<std::string> configs() {
  std::vector<std::string> names;
  for (const hostkernels::CpuLevel &level : hostkernels::cpuLevels())
    names.emplace_back(level.name);
  return names;
}

} // namespace

const backend::BackendPlugin *plugin() {
  static const backend::BackendPlugin offer = {
      backend::kInterfaceVersion, "host", "this CPU, ahead of time through LLVM", create, configs};
  return &offer;
}

} // namespace tenon::host
