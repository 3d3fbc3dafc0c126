// SPDX-License-Identifier: Apache-2.0
// fuse-kernels: TOSA that one of the host's kernels computes becomes `tenon.custom
// "host.kernel"`, with the kernel's name and constants as options.
#include "backend/host/ConvolutionLayout.h"
#include "backend/host/Passes.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tenon::host {
namespace {

template <typename T>
mlir::NamedAttribute numbers(mlir::OpBuilder &builder, llvm::StringRef name,
                             const std::vector<T> &values) {
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(values.size())},
                                          builder.getIntegerType(8 * sizeof(T)));
  return builder.getNamedAttr(name, mlir::DenseElementsAttr::get(type, llvm::ArrayRef<T>(values)));
}

void replaceByKernel(const ConvolutionMatch &match) {
  mlir::OpBuilder builder(match.last);
  const KernelCall call = layOutConvolution(match);
  mlir::DictionaryAttr options = builder.getDictionaryAttr(
      {builder.getNamedAttr("kernel", builder.getStringAttr(call.kernel)),
       numbers(builder, "weights", call.weights), numbers(builder, "parameters", call.parameters),
       numbers(builder, "geometry", call.geometry),
       builder.getNamedAttr("scratch", builder.getI64IntegerAttr(call.scratchBytes))});
  auto kernel = ir::CustomOp::create(builder, match.last->getLoc(), match.last->getResultTypes(),
                                     kKernelOperator, mlir::ValueRange{match.input}, options);
  match.last->getResult(0).replaceAllUsesWith(kernel->getResult(0));
}

struct FuseKernels : mlir::PassWrapper<FuseKernels, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseKernels)
  llvm::StringRef getArgument() const override { return "tenon-host-fuse-kernels"; }
  void runOnOperation() override {
    llvm::SmallVector<mlir::Operation *> convolutions;
    getOperation().walk([&](mlir::Operation *op) {
      if (llvm::isa<mlir::tosa::Conv2DOp, mlir::tosa::DepthwiseConv2DOp>(op))
        convolutions.push_back(op);
    });
    for (mlir::Operation *conv : convolutions)
      if (auto match = matchConvolution(conv)) {
        replaceByKernel(*match);
        eraseChain(match->last, conv);
      }
  }

  /// Erases from \p last back to \p first: each reads the one before it.
  static void eraseChain(mlir::Operation *last, mlir::Operation *first) {
    while (true) {
      mlir::Operation *before = last->getOperand(0).getDefiningOp();
      const bool done = last == first;
      last->erase();
      if (done)
        return;
      last = before;
    }
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createFuseKernelsPass() { return std::make_unique<FuseKernels>(); }

} // namespace tenon::host
