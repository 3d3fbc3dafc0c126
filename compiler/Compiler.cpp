// SPDX-License-Identifier: Apache-2.0
// The compiler, stage by stage.
#include "compiler/CompileGraph.h"
#include "compiler/ImportModel.h"
#include "compiler/Registry.h"

namespace tenon::compiler {
namespace {

std::string fileName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

} // namespace

Expected<Compilation> compileModel(ByteSpan model, const std::string &modelName,
                                   const CompileOptions &options) {
  // One thread: compilations are short, and their order of work is part of the output.
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  loadGraphDialects(context);

  auto registry = Registry::load(options.plugins);
  if (!registry)
    return tl::unexpected(registry.error());
  FaultLog faults;
  auto targets = registry->create(context, options.targets, faults);
  if (!targets)
    return tl::unexpected(targets.error());
  if (targets->empty())
    return fail("no target is named; use --target {}", kLastResort);

  if (options.progress)
    options.progress("import");
  auto graph = importModel(context, model, modelName);
  if (!graph)
    return tl::unexpected(graph.error());
  auto compilation = compileGraph(**graph, *targets, options);
  if (!compilation)
    return fail(compilation.error(), fileName(modelName));
  compilation->report.faults = faults.faults();
  return compilation;
}

Expected<std::vector<backend::Claim>> claimsOf(const TargetSpec &target,
                                               const std::vector<std::string> &plugins) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  loadGraphDialects(context);
  auto registry = Registry::load(plugins);
  if (!registry)
    return tl::unexpected(registry.error());
  FaultLog faults;
  auto targets = registry->create(context, {target}, faults);
  if (!targets)
    return tl::unexpected(targets.error());
  std::vector<backend::Claim> claims = targets->front()->claims();
  if (!faults.faults().empty())
    return fail("target {} is at fault: its {}", target.name, faults.faults().front().problem);
  return claims;
}

} // namespace tenon::compiler
