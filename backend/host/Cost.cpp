// SPDX-License-Identifier: Apache-2.0
// The host's cost: work over rate, of the general lowering on one core.
#include "backend/host/Cost.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace tenon::host {
namespace {

// They decide only what is worth a transfer. The convolution kernels do 20 a nanosecond on one AVX2
// core; a CPU that has an NPU beside it is taken to be a small one, and partitions not to depend
// on the machine that compiles.
constexpr double kMacsPerNs = 1.0;
constexpr double kBytesPerNs = 0.5;

int64_t elements(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

/// Multiply-accumulates: outputs times the weights that each of them sees.
int64_t macs(mlir::Operation *op) {
  if (auto conv = llvm::dyn_cast<mlir::tosa::Conv2DOp>(op))
    return elements(conv.getOutput()) * elements(conv.getWeight()) /
           std::max<int64_t>(
               1, llvm::cast<mlir::ShapedType>(conv.getWeight().getType()).getDimSize(0));
  if (auto conv = llvm::dyn_cast<mlir::tosa::DepthwiseConv2DOp>(op)) {
    auto weight = llvm::cast<mlir::ShapedType>(conv.getWeight().getType());
    return elements(conv.getOutput()) * weight.getDimSize(0) * weight.getDimSize(1);
  }
  if (auto product = llvm::dyn_cast<mlir::tosa::MatMulOp>(op))
    return elements(product.getOutput()) *
           llvm::cast<mlir::ShapedType>(product.getA().getType()).getDimSize(2);
  return 0;
}

int64_t bytes(mlir::Operation *op) {
  int64_t sum = 0;
  for (auto values : {mlir::ValueRange(op->getOperands()), mlir::ValueRange(op->getResults())})
    for (mlir::Value value : values)
      if (mlir::getElementTypeOrSelf(value).isIntOrFloat())
        sum += elements(value) *
               std::max(1u, mlir::getElementTypeOrSelf(value).getIntOrFloatBitWidth() / 8);
  return sum;
}

} // namespace

backend::Cost estimateCost(mlir::Operation *op) {
  double nanoseconds = 0;
  op->walk([&](mlir::Operation *inner) {
    nanoseconds += double(macs(inner)) / kMacsPerNs;
    if (llvm::isa<mlir::tosa::TosaOp>(inner) && !inner->hasTrait<mlir::OpTrait::ConstantLike>())
      nanoseconds += double(bytes(inner)) / kBytesPerNs;
  });
  return {static_cast<uint64_t>(nanoseconds)};
}

} // namespace tenon::host
