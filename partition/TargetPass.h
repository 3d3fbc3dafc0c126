// SPDX-License-Identifier: Apache-2.0
// What passes that ask backends have in common.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "partition/Passes.h"

namespace tenon::partition {

/// A pass over the module's @main.
template <typename PassT>
struct TargetPass : mlir::PassWrapper<PassT, mlir::OperationPass<mlir::ModuleOp>> {
  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    auto made = source(*context);
    if (!made)
      return mlir::emitError(mlir::UnknownLoc::get(context)) << made.error().message;
    targets = *made;
    return mlir::success();
  }

  void runOnOperation() override {
    auto main = this->getOperation().template lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || !main.getBody().hasOneBlock()) {
      this->getOperation().emitError("has no function @main of one block");
      return this->signalPassFailure();
    }
    if (mlir::failed(static_cast<PassT *>(this)->runOnMain(main)))
      this->signalPassFailure();
  }

  TargetSource source;
  Targets targets;

private:
  friend PassT;
  explicit TargetPass(TargetSource source) : source(std::move(source)) {}
};

} // namespace tenon::partition
