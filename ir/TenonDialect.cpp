// SPDX-License-Identifier: Apache-2.0
// Registration and verifiers of the tenon dialect.
#include "ir/TenonDialect.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "ir/TenonDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/TenonOps.cpp.inc"

namespace tenon::ir {
namespace {

/// Fails unless \p inner and \p outer agree in number and types; \p what names the pair.
mlir::LogicalResult verifyTypes(mlir::Operation *op, mlir::TypeRange inner, mlir::TypeRange outer,
                                const char *what) {
  if (inner.size() != outer.size())
    return op->emitOpError() << "body has " << inner.size() << " " << what << ", the operator has "
                             << outer.size();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(inner, outer)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return op->emitOpError() << "body's " << what << " " << index << " is " << std::get<0>(pair)
                               << ", the operator's is " << std::get<1>(pair);
  return mlir::success();
}

/// A body takes the operator's inputs and yields its outputs.
template <typename OpT> mlir::LogicalResult verifyBody(OpT op) {
  mlir::Block &block = op.getBody().front();
  auto yield = llvm::dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return op.emitOpError("body must end in tenon.yield");
  if (mlir::failed(verifyTypes(op, block.getArgumentTypes(), op.getInputs().getTypes(), "inputs")))
    return mlir::failure();
  return verifyTypes(op, yield.getResults().getTypes(), op.getOutputs().getTypes(), "outputs");
}

} // namespace

void TenonDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/TenonOps.cpp.inc"
      >();
}

mlir::LogicalResult CompositeOp::verifyRegions() { return verifyBody(*this); }
mlir::LogicalResult PartitionOp::verifyRegions() { return verifyBody(*this); }

} // namespace tenon::ir
