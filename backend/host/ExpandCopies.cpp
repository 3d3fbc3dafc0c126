// SPDX-License-Identifier: Apache-2.0
// expand-copies: strided copies as loops.
#include "backend/host/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tenon::host {
namespace {

bool isDense(mlir::Value value) {
  return llvm::cast<mlir::MemRefType>(value.getType()).getLayout().isIdentity();
}

struct ExpandCopies : mlir::PassWrapper<ExpandCopies, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandCopies)
  llvm::StringRef getArgument() const override { return "tenon-host-expand-copies"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::linalg::LinalgDialect>();
  }
  void runOnOperation() override {
    getOperation().walk([](mlir::memref::CopyOp copy) {
      if (isDense(copy.getSource()) && isDense(copy.getTarget()))
        return; // becomes a memcpy
      mlir::OpBuilder builder(copy);
      mlir::linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
      copy.erase();
    });
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createExpandCopiesPass() { return std::make_unique<ExpandCopies>(); }

} // namespace tenon::host
