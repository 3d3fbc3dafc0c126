// SPDX-License-Identifier: Apache-2.0
// Drives the host's pipeline over a module of all its functions.
#include "backend/host/HostCompiler.h"

#include "backend/host/DefineKernels.h"
#include "backend/host/ObjectCode.h"
#include "backend/host/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace tenon::host {
namespace {

using Functions = llvm::ArrayRef<backend::PartitionFunction>;

std::string bodyName(const std::string &symbol) { return "body_" + symbol; }

/// A module with copies of \p functions, named by their symbols.
mlir::OwningOpRef<mlir::ModuleOp> copyFunctions(Functions functions) {
  mlir::MLIRContext *context = functions.front().function->getContext();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  for (const backend::PartitionFunction &partition : functions) {
    auto copy = llvm::cast<mlir::func::FuncOp>(builder.clone(*partition.function));
    copy.setName(bodyName(partition.symbol));
    copy.setPublic();
  }
  return module;
}

/// Lowers \p module to the LLVM dialect; fails with the first error MLIR reports.
Expected<void> lower(mlir::ModuleOp module) {
  std::string reason;
  mlir::ScopedDiagnosticHandler collect(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (reason.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      reason = diagnostic.str();
    return mlir::success();
  });
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(true);
  buildHostPipeline(manager);
  if (mlir::failed(manager.run(module)))
    return fail("{}", reason.empty() ? "a lowering pass failed" : reason);
  return {};
}

std::vector<EntryPoint> describeEntries(Functions functions, mlir::ModuleOp module) {
  std::vector<EntryPoint> entries;
  for (const backend::PartitionFunction &partition : functions) {
    mlir::func::FuncOp function = partition.function;
    EntryPoint entry{partition.symbol, bodyName(partition.symbol), function.getNumArguments(),
                     function.getNumResults()};
    auto bytes = module.lookupSymbol(entry.body)->getAttrOfType<mlir::IntegerAttr>(kArenaBytesAttr);
    entry.arenaBytes = bytes.getInt();
    entries.push_back(entry);
  }
  return entries;
}

Expected<Bytes> makeImage(Functions functions, const hostkernels::CpuLevel &cpu) {
  mlir::OwningOpRef<mlir::ModuleOp> module = copyFunctions(functions);
  if (auto lowered = lower(*module); !lowered)
    return tl::unexpected(lowered.error());
  if (auto defined = defineKernels(*module, cpu); !defined)
    return tl::unexpected(defined.error());
  auto object = emitObjectCode(*module, describeEntries(functions, *module), cpu);
  return object ? linkImage(*object) : object;
}

backend::CompileFailure makeFailure(size_t index, const Error &error) {
  return {
      index,
      {},
      {"host.lowering", error.message, "", "", "run it on another target, or report this model"}};
}

/// Which function is to blame for \p error: the first that fails alone.
backend::CompileFailure findFailure(Functions functions, const hostkernels::CpuLevel &cpu,
                                    const Error &error) {
  for (size_t index = 0; functions.size() > 1 && index < functions.size(); ++index)
    if (auto image = makeImage(functions.slice(index, 1), cpu); !image)
      return makeFailure(index, image.error());
  return makeFailure(0, error);
}

} // namespace

backend::CompileResult compileFunctions(Functions functions, const hostkernels::CpuLevel &cpu) {
  backend::CompileResult result;
  if (functions.empty())
    return result;
  auto image = makeImage(functions, cpu);
  if (!image) {
    result.failures.push_back(findFailure(functions, cpu, image.error()));
    return result;
  }
  for (const backend::PartitionFunction &partition : functions) {
    package::Partition step;
    step.target = "host";
    step.kind = package::CodeKind::Host;
    step.symbol = partition.symbol;
    result.compiled.partitions.push_back(std::move(step));
  }
  result.compiled.hostCode.push_back({std::string(cpu.triple), std::string(cpu.name),
                                      std::string(cpu.features), std::move(*image)});
  return result;
}

} // namespace tenon::host
