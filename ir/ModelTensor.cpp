// SPDX-License-Identifier: Apache-2.0
// Follows a value to the operator that computes it.
#include "ir/ModelTensor.h"

#include "ir/Attributes.h"
#include "ir/OperatorLocation.h"
#include "ir/TenonDialect.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tenon::ir {

mlir::OpResult findProducer(mlir::Value value) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  while (result && llvm::isa<CompositeOp, PartitionOp>(result.getOwner())) {
    mlir::Operation *yield = result.getOwner()->getRegion(0).front().getTerminator();
    auto inner = llvm::dyn_cast<mlir::OpResult>(yield->getOperand(result.getResultNumber()));
    if (!inner || getModelOperators(inner.getOwner()->getLoc()).empty())
      break; // the composite itself is the operator
    result = inner;
  }
  return result;
}

ModelTensor describeTensor(mlir::Value value) {
  mlir::OpResult result = findProducer(value);
  if (!result)
    return {};
  mlir::Operation *op = result.getOwner();
  const auto named = getModelOperators(op->getLoc());
  if (named.empty())
    return {};
  ModelTensor tensor{named.back().name};
  if (unsigned number = result.getResultNumber())
    tensor.name += ":" + std::to_string(number);
  if (auto quant = op->getAttrOfType<mlir::DictionaryAttr>(kQuant)) {
    if (auto scale = quant.getAs<mlir::FloatAttr>("scale"))
      tensor.scale = scale.getValueAsDouble();
    if (auto zeroPoint = quant.getAs<mlir::IntegerAttr>("zero_point"))
      tensor.zeroPoint = zeroPoint.getInt();
  }
  return tensor;
}

} // namespace tenon::ir
