// SPDX-License-Identifier: Apache-2.0
// tenon-expose-edges: intermediate tensors become outputs, for comparing layer by layer.
#include "ir/Attributes.h"
#include "ir/ModelTensor.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::transforms {
namespace {

/// The word of docs/ir.md for a type: "int8", "float32".
std::string elementName(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (element.isInteger(1))
    return "bool";
  const std::string width = std::to_string(element.getIntOrFloatBitWidth());
  return (element.isInteger() ? "int" : "float") + width;
}

mlir::Attribute unitOf(mlir::Operation *op) { return op->getAttr(ir::kUnit); }

/// Is \p result handed on, and not only between operators of one unit?
bool isEdge(mlir::OpResult result) {
  mlir::Operation *op = result.getOwner();
  if (llvm::isa<ir::CompositeOp>(op) && !unitOf(op))
    return !result.use_empty();
  return llvm::any_of(result.getUsers(), [&](mlir::Operation *user) {
    return !unitOf(op) || unitOf(user) != unitOf(op);
  });
}

/// Does @main return what \p partition yields of \p result?
bool isReturned(ir::PartitionOp partition, mlir::OpResult result) {
  mlir::Operation *yield = partition.getBody().front().getTerminator();
  for (auto [output, yielded] : llvm::zip(partition.getOutputs(), yield->getOperands()))
    if (yielded == result && llvm::any_of(output.getUsers(), [](mlir::Operation *user) {
          return llvm::isa<mlir::func::ReturnOp>(user);
        }))
      return true;
  return false;
}

struct ExposeEdges : mlir::PassWrapper<ExposeEdges, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExposeEdges)
  llvm::StringRef getArgument() const override { return "tenon-expose-edges"; }

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<mlir::func::FuncOp>("main");
    if (!main) {
      getOperation().emitError("has no function @main");
      return signalPassFailure();
    }
    taken.clear();
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      if (auto name = main.getResultAttrOfType<mlir::StringAttr>(i, ir::kName))
        taken.insert(name.getValue());
    for (auto partition : llvm::make_early_inc_range(main.getOps<ir::PartitionOp>()))
      exposePartition(main, partition);
  }

private:
  void exposePartition(mlir::func::FuncOp main, ir::PartitionOp partition) {
    llvm::SmallVector<mlir::Value> exposed;
    for (mlir::Operation &op : partition.getBody().front().without_terminator())
      for (mlir::OpResult result : op.getResults())
        if (isEdge(result) && !isReturned(partition, result) &&
            !op.hasTrait<mlir::OpTrait::ConstantLike>())
          if (std::string name = ir::describeTensor(result).name;
              !name.empty() && taken.insert(name).second)
            exposed.push_back(result);
    if (exposed.empty())
      return;
    ir::PartitionOp wider = addOutputs(partition, exposed);
    for (auto [value, output] : llvm::zip(exposed, wider.getOutputs().take_back(exposed.size())))
      addResult(main, output, ir::describeTensor(value));
  }

  ir::PartitionOp addOutputs(ir::PartitionOp partition, llvm::ArrayRef<mlir::Value> added) {
    mlir::Operation *yield = partition.getBody().front().getTerminator();
    yield->insertOperands(yield->getNumOperands(), added);
    mlir::OpBuilder builder(partition);
    auto wider = ir::PartitionOp::create(builder, partition.getLoc(), yield->getOperandTypes(),
                                         partition.getTargetAttr(), partition.getInputs());
    wider.getBody().takeBody(partition.getBody());
    partition->replaceAllUsesWith(wider.getOutputs().drop_back(added.size()));
    partition.erase();
    return wider;
  }

  void addResult(mlir::func::FuncOp main, mlir::Value value, const ir::ModelTensor &tensor) {
    mlir::Builder builder(&getContext());
    mlir::NamedAttrList attributes;
    attributes.append(ir::kName, builder.getStringAttr(tensor.name));
    attributes.append(ir::kElement, builder.getStringAttr(elementName(value.getType())));
    if (tensor.scale != 0) {
      attributes.append(ir::kScale, builder.getF64FloatAttr(tensor.scale));
      attributes.append(ir::kZeroPoint, builder.getI64IntegerAttr(tensor.zeroPoint));
    }
    mlir::Operation *end = main.getBody().front().getTerminator();
    end->insertOperands(end->getNumOperands(), value);
    const unsigned index = main.getNumResults();
    if (mlir::failed(
            main.insertResult(index, value.getType(), attributes.getDictionary(&getContext()))))
      signalPassFailure();
  }

  llvm::StringSet<> taken;
};

} // namespace

std::unique_ptr<mlir::Pass> createExposeEdgesPass() { return std::make_unique<ExposeEdges>(); }

void registerPasses() {
  mlir::registerPass([] { return createExposeEdgesPass(); });
}

} // namespace tenon::transforms
