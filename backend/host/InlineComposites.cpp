// SPDX-License-Identifier: Apache-2.0
// inline-composites: the host executes a composite's body, which is its exact meaning.
#include "backend/host/Passes.h"

#include "ir/TenonDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tenon::host {
namespace {

void inlineComposite(mlir::RewriterBase &rewriter, ir::CompositeOp composite) {
  mlir::Block &body = composite.getBody().front();
  auto yield = llvm::cast<ir::YieldOp>(body.getTerminator());
  llvm::SmallVector<mlir::Value> results(yield.getResults());
  rewriter.eraseOp(yield);
  // Results that are block arguments become the composite's inputs.
  for (mlir::Value &result : results)
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(result))
      result = composite.getInputs()[argument.getArgNumber()];
  rewriter.inlineBlockBefore(&body, composite, composite.getInputs());
  rewriter.replaceOp(composite, results);
}

struct InlineComposites
    : mlir::PassWrapper<InlineComposites, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineComposites)
  llvm::StringRef getArgument() const override { return "tenon-host-inline-composites"; }
  void runOnOperation() override {
    mlir::IRRewriter rewriter(&getContext());
    // Pre-order: a composite inside a composite comes out with the outer one's body.
    llvm::SmallVector<ir::CompositeOp> composites;
    getOperation().walk<mlir::WalkOrder::PreOrder>(
        [&](ir::CompositeOp composite) { composites.push_back(composite); });
    for (ir::CompositeOp composite : composites) {
      rewriter.setInsertionPoint(composite);
      inlineComposite(rewriter, composite);
    }
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createInlineCompositesPass() {
  return std::make_unique<InlineComposites>();
}

} // namespace tenon::host
