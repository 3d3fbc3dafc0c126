// SPDX-License-Identifier: Apache-2.0
// Follows @main's calls and writes down who hands what to whom.
#include "compiler/MakePackage.h"

#include "compiler/MemoryPlan.h"
#include "compiler/TensorTable.h"
#include "ir/Attributes.h"
#include "mlir/Bytecode/BytecodeWriter.h"

namespace tenon::compiler {
namespace {

using Indices = std::vector<uint32_t>;

Expected<Indices> numbersOf(TensorTable &table, mlir::ValueRange values) {
  Indices indices;
  for (mlir::Value value : values) {
    auto index = table.numberOf(value);
    if (!index)
      return tl::unexpected(index.error());
    indices.push_back(*index);
  }
  return indices;
}

Expected<package::Partition> makeStep(TensorTable &table, mlir::func::CallOp call,
                                      package::Partition made) {
  auto inputs = numbersOf(table, call.getOperands());
  if (!inputs)
    return tl::unexpected(inputs.error());
  auto outputs = numbersOf(table, call.getResults());
  if (!outputs)
    return tl::unexpected(outputs.error());
  made.inputs = std::move(*inputs);
  made.outputs = std::move(*outputs);
  return made;
}

void addOperators(package::Package &package, const partition::Report &report) {
  for (const partition::OperatorReport &op : report.operators)
    package.operators.push_back({uint32_t(op.index), op.type, op.name});
  for (auto [step, part] : llvm::zip(package.partitions, report.partitions))
    step.operators.assign(part.operators.begin(), part.operators.end());
}

Expected<void> addSteps(package::Package &package, TensorTable &table, mlir::func::FuncOp main,
                        CompiledParts parts) {
  for (auto call : main.getOps<mlir::func::CallOp>()) {
    auto step = makeStep(table, call, std::move(parts[call.getCallee().str()]));
    if (!step)
      return tl::unexpected(step.error());
    package.partitions.push_back(std::move(*step));
  }
  return {};
}

} // namespace

std::vector<mlir::func::FuncOp> scheduledFunctions(mlir::ModuleOp module) {
  std::vector<mlir::func::FuncOp> functions;
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  for (auto call : main.getOps<mlir::func::CallOp>())
    functions.push_back(module.lookupSymbol<mlir::func::FuncOp>(call.getCallee()));
  return functions;
}

std::string targetOf(mlir::func::FuncOp function) {
  auto target = function->getAttrOfType<mlir::StringAttr>(ir::kTarget);
  return target ? target.str() : "";
}

Expected<package::Package> makePackage(mlir::ModuleOp module, const partition::Report &report,
                                       CompiledParts parts,
                                       std::vector<package::HostCode> hostCode) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  package::Package package;
  package.compilerVersion = TENON_VERSION;
  if (auto model = module->getAttrOfType<mlir::StringAttr>("tenon.model"))
    package.modelName = model.str();
  package.hostCode = std::move(hostCode);

  TensorTable table(module);
  auto inputs = numbersOf(table, main.getArguments());
  if (!inputs)
    return tl::unexpected(inputs.error());
  package.inputs = std::move(*inputs);
  if (auto ok = addSteps(package, table, main, std::move(parts)); !ok)
    return tl::unexpected(ok.error());
  auto outputs = numbersOf(table, main.getBody().front().getTerminator()->getOperands());
  if (!outputs)
    return tl::unexpected(outputs.error());
  package.outputs = std::move(*outputs);
  package.tensors = table.take();
  addOperators(package, report);
  if (auto planned = planMemory(package); !planned)
    return tl::unexpected(planned.error());
  return package;
}

Hash128 hashGraph(mlir::ModuleOp graph) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  (void)mlir::writeBytecodeToFile(graph, stream);
  return hashBytes({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
}

} // namespace tenon::compiler
