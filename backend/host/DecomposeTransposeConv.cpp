// SPDX-License-Identifier: Apache-2.0
// decompose-transpose-conv: tosa.transpose_conv2d as convolution, by TOSA's own patterns.
#include "backend/host/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tenon::host {
namespace {

struct DecomposeTransposeConv
    : mlir::PassWrapper<DecomposeTransposeConv, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecomposeTransposeConv)
  llvm::StringRef getArgument() const override { return "tenon-host-decompose-transpose-conv"; }
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    mlir::tosa::populateTosaDecomposeTransposeConv(&getContext(), patterns);
    if (mlir::failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createDecomposeTransposeConvPass() {
  return std::make_unique<DecomposeTransposeConv>();
}

} // namespace tenon::host
