// SPDX-License-Identifier: Apache-2.0
// tenon-outline-partitions: each tenon.partition becomes a function and a call of it.
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "partition/Attributes.h"
#include "partition/Passes.h"

namespace tenon::partition {
namespace {

struct OutlinePartitions
    : mlir::PassWrapper<OutlinePartitions, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlinePartitions)
  llvm::StringRef getArgument() const override { return "tenon-outline-partitions"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::func::FuncDialect>();
  }

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<mlir::func::FuncOp>("main");
    if (!main) {
      getOperation().emitError("has no function @main");
      return signalPassFailure();
    }
    mlir::SymbolTable symbols(getOperation());
    unsigned number = 0;
    for (auto partition : llvm::make_early_inc_range(main.getOps<ir::PartitionOp>())) {
      simplify(partition);
      if (!partition->use_empty())
        outline(partition, number++, symbols);
      partition.erase();
    }
  }

private:
  /// Results nobody uses, that repeat, or that are inputs need not cross the edge.
  void simplify(ir::PartitionOp partition) {
    mlir::Block &body = partition.getBody().front();
    mlir::Operation *yield = body.getTerminator();
    llvm::DenseMap<mlir::Value, mlir::Value> first;
    for (auto [result, yielded] : llvm::zip(partition.getOutputs(), yield->getOperands())) {
      if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(yielded))
        result.replaceAllUsesWith(partition.getInputs()[argument.getArgNumber()]);
      else if (auto [found, isNew] = first.try_emplace(yielded, result); !isNew)
        result.replaceAllUsesWith(found->second);
    }
  }

  void outline(ir::PartitionOp partition, unsigned number, mlir::SymbolTable &symbols) {
    llvm::SmallVector<mlir::Value> results, yielded;
    mlir::Operation *yield = partition.getBody().front().getTerminator();
    for (auto [result, value] : llvm::zip(partition.getOutputs(), yield->getOperands()))
      if (!result.use_empty()) {
        results.push_back(result);
        yielded.push_back(value);
      }
    yield->setOperands(yielded);
    llvm::SmallVector<mlir::Value> operands;
    mlir::func::FuncOp function = moveBody(partition, number, results, operands);
    symbols.insert(function);
    mlir::OpBuilder builder(partition);
    auto call = mlir::func::CallOp::create(builder, partition.getLoc(), function, operands);
    for (auto [result, value] : llvm::zip(results, call.getResults()))
      result.replaceAllUsesWith(value);
  }

  /// A function of \p partition's body; \p operands become what its arguments stand for: each
  /// input that is used, once.
  mlir::func::FuncOp moveBody(ir::PartitionOp partition, unsigned number,
                              llvm::ArrayRef<mlir::Value> results,
                              llvm::SmallVector<mlir::Value> &operands) {
    mlir::Block &body = partition.getBody().front();
    llvm::DenseMap<mlir::Value, unsigned> position;
    llvm::BitVector drop(body.getNumArguments());
    for (auto [index, input] : llvm::enumerate(partition.getInputs())) {
      auto [found, isNew] = position.try_emplace(input, index);
      mlir::BlockArgument argument = body.getArgument(index);
      if (!isNew)
        argument.replaceAllUsesWith(body.getArgument(found->second));
    }
    for (auto [index, input] : llvm::enumerate(partition.getInputs()))
      if (body.getArgument(index).use_empty())
        drop.set(index);
      else
        operands.push_back(input);
    body.eraseArguments(drop);

    mlir::OpBuilder builder(&getContext());
    auto function = mlir::func::FuncOp::create(
        builder, partition.getLoc(), "partition_" + std::to_string(number),
        builder.getFunctionType(body.getArgumentTypes(), mlir::ValueRange(results).getTypes()));
    function.setPrivate();
    function->setAttr(kTarget, partition.getTargetAttr());
    function.getBody().takeBody(partition.getBody());
    mlir::Operation *yield = function.getBody().front().getTerminator();
    builder.setInsertionPoint(yield);
    mlir::func::ReturnOp::create(builder, yield->getLoc(), yield->getOperands());
    yield->erase();
    return function;
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createOutlinePartitionsPass() {
  return std::make_unique<OutlinePartitions>();
}

} // namespace tenon::partition
