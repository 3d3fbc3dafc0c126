// SPDX-License-Identifier: Apache-2.0
// define-kernels: gives the kernels a lowered module declares their bodies.
#include "backend/host/DefineKernels.h"

#include "backend/host/KernelText.h"
#include "backend/host/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

namespace tenon::host {
namespace {

using mlir::LLVM::LLVMFuncOp;

/// Kernels that \p module calls but does not define.
llvm::SmallVector<LLVMFuncOp> findDeclarations(mlir::ModuleOp module, mlir::ModuleOp kernels) {
  llvm::SmallVector<LLVMFuncOp> declarations;
  for (auto function : module.getOps<LLVMFuncOp>())
    if (function.isExternal() && kernels.lookupSymbol<LLVMFuncOp>(function.getSymName()))
      declarations.push_back(function);
  return declarations;
}

/// Copies \p name and all it calls from \p kernels to \p module, once.
void copyWithCallees(mlir::ModuleOp module, mlir::ModuleOp kernels, llvm::StringRef name) {
  auto function = kernels.lookupSymbol<LLVMFuncOp>(name);
  if (!function || module.lookupSymbol(name))
    return;
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
  builder.clone(*function);
  function.walk([&](mlir::LLVM::CallOp call) {
    if (auto callee = call.getCallee())
      copyWithCallees(module, kernels, *callee);
  });
}

} // namespace

Expected<void> defineKernels(mlir::ModuleOp module, const hostkernels::CpuLevel &cpu) {
  if (module.getOps<LLVMFuncOp>().empty())
    return {};
  auto kernels =
      mlir::parseSourceString<mlir::ModuleOp>(kernelModuleText(cpu), module.getContext());
  if (!kernels)
    return fail("the kernels' text does not parse");
  mlir::PassManager manager(module.getContext());
  buildLlvmPipeline(manager);
  if (mlir::failed(manager.run(*kernels)))
    return fail("the kernels do not lower");
  for (LLVMFuncOp declaration : findDeclarations(module, *kernels)) {
    const std::string name = declaration.getSymName().str();
    declaration.erase();
    copyWithCallees(module, *kernels, name);
  }
  return {};
}

} // namespace tenon::host
