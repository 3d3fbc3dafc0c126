// SPDX-License-Identifier: Apache-2.0
// Partitions, compiles, and on failure partitions again, to a fixed point.
#include "compiler/CompileGraph.h"

#include <set>

#include "compiler/Diagnostics.h"
#include "compiler/Exclude.h"
#include "compiler/MakePackage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "partition/MakeReport.h"
#include "partition/Passes.h"
#include "transforms/Passes.h"

namespace tenon::compiler {
namespace {

class GraphCompiler {
public:
  GraphCompiler(mlir::ModuleOp graph, partition::Targets targets, const CompileOptions &options)
      : graph(graph), targets(targets), options(options) {}

  Expected<Compilation> run() {
    // Each round but the last keeps a target off at least one more unit, so this ends.
    while (true) {
      auto partitioned = partition();
      if (!partitioned)
        return tl::unexpected(partitioned.error());
      auto compiled = compileAll(**partitioned);
      if (!compiled)
        return tl::unexpected(compiled.error());
      if (*compiled)
        return finish(**partitioned);
    }
  }

private:
  void progress(const std::string &stage) const {
    if (options.progress)
      options.progress(stage);
  }

  Expected<mlir::OwningOpRef<mlir::ModuleOp>> partition() {
    progress("partition");
    mlir::OwningOpRef<mlir::ModuleOp> module = graph.clone();
    DiagnosticCollector diagnostics(*graph.getContext());
    mlir::PassManager manager(graph.getContext());
    partition::buildPartitionPipeline(
        manager, [&](mlir::MLIRContext &) { return Expected<partition::Targets>(targets); },
        [&](mlir::OpPassManager &passes) {
          if (options.exposeEdges)
            passes.addPass(transforms::createExposeEdgesPass());
        });
    if (mlir::failed(manager.run(*module)))
      return tl::unexpected(diagnostics.error("partition"));
    return module;
  }

  /// False if a target gave operators back: they are excluded now.
  Expected<bool> compileAll(mlir::ModuleOp module) {
    parts.clear();
    hostCode.clear();
    for (const auto &target : targets) {
      std::vector<backend::PartitionFunction> functions = functionsOf(module, target->name());
      if (functions.empty())
        continue;
      progress("compile " + target->name());
      backend::CompileResult result = target->compile(functions);
      if (!result.failures.empty())
        return giveBack(functions, *target, result.failures);
      if (auto ok = keep(functions, *target, std::move(result.compiled)); !ok)
        return tl::unexpected(ok.error());
    }
    return true;
  }

  std::vector<backend::PartitionFunction> functionsOf(mlir::ModuleOp module,
                                                      const std::string &target) const {
    std::vector<backend::PartitionFunction> functions;
    for (mlir::func::FuncOp function : scheduledFunctions(module))
      if (targetOf(function) == target)
        functions.push_back({function, function.getName().str()});
    return functions;
  }

  Expected<bool> giveBack(llvm::ArrayRef<backend::PartitionFunction> functions,
                          const backend::Backend &target,
                          llvm::ArrayRef<backend::CompileFailure> failures) {
    for (const backend::CompileFailure &failure : failures) {
      if (failure.function >= functions.size())
        return fail("target {} refuses function {} of {}; this is a fault of the backend",
                    target.name(), failure.function, functions.size());
      excludeUnits(graph, functions[failure.function].function, target.name(), failure);
    }
    return false;
  }

  Expected<void> keep(llvm::ArrayRef<backend::PartitionFunction> functions,
                      const backend::Backend &target, backend::CompiledTarget compiled) {
    if (compiled.partitions.size() != functions.size())
      return fail("target {} made {} partitions of {} functions; this is a fault of the backend",
                  target.name(), compiled.partitions.size(), functions.size());
    for (auto [function, partition] : llvm::zip(functions, compiled.partitions))
      parts[function.symbol] = std::move(partition);
    std::move(compiled.hostCode.begin(), compiled.hostCode.end(), std::back_inserter(hostCode));
    return {};
  }

  Expected<Compilation> finish(mlir::ModuleOp module) {
    progress("package");
    Compilation compilation;
    compilation.report = partition::makeReport(module);
    partition::addEdges(compilation.report, graph);
    auto package = makePackage(module, compilation.report, std::move(parts), std::move(hostCode));
    if (!package)
      return tl::unexpected(package.error());
    compilation.package = std::move(*package);
    return compilation;
  }

  mlir::ModuleOp graph;
  partition::Targets targets;
  const CompileOptions &options;
  CompiledParts parts;
  std::vector<package::HostCode> hostCode;
};

} // namespace

Expected<Compilation> compileGraph(mlir::ModuleOp graph, partition::Targets targets,
                                   const CompileOptions &options) {
  const Hash128 hash = hashGraph(graph);
  auto compilation = GraphCompiler(graph, targets, options).run();
  if (compilation)
    compilation->package.irHash = hash;
  return compilation;
}

} // namespace tenon::compiler
