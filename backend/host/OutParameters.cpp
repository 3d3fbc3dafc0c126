// SPDX-License-Identifier: Apache-2.0
// out-parameters: results in memory the caller provides.
#include "backend/host/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tenon::host {
namespace {

/// The caller's dense memory for a result of \p type, whatever layout the result itself has.
mlir::MemRefType denseType(mlir::MemRefType type) {
  return mlir::MemRefType::get(type.getShape(), type.getElementType());
}

/// Makes \p argument hold \p result when the function returns. Memory that is allocated here for
/// nothing but this result becomes the argument.
void fillArgument(mlir::OpBuilder &builder, mlir::Value result, mlir::Value argument) {
  auto alloc = result.getDefiningOp<mlir::memref::AllocOp>();
  if (alloc && alloc.getType() == argument.getType()) {
    alloc.replaceAllUsesWith(argument);
    alloc.erase();
    return;
  }
  mlir::memref::CopyOp::create(builder, result.getLoc(), result, argument);
}

struct OutParameters : mlir::PassWrapper<OutParameters, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutParameters)
  llvm::StringRef getArgument() const override { return "tenon-host-out-parameters"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::memref::MemRefDialect>();
  }
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    mlir::Block &body = function.getBody().front();
    auto exit = llvm::cast<mlir::func::ReturnOp>(body.getTerminator());
    mlir::OpBuilder builder(exit);
    for (unsigned index = 0; index < exit.getNumOperands(); ++index) {
      mlir::Value result = exit.getOperand(index);
      mlir::Value argument = body.addArgument(
          denseType(llvm::cast<mlir::MemRefType>(result.getType())), result.getLoc());
      fillArgument(builder, result, argument);
    }
    exit.getOperandsMutable().clear();
    function.removeResAttrsAttr();
    function.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createOutParametersPass() { return std::make_unique<OutParameters>(); }

} // namespace tenon::host
