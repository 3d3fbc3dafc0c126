// SPDX-License-Identifier: Apache-2.0
// The graph that partitioning works on: units, the atoms that no target boundary may cut.
#pragma once
#include <optional>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::partition {

/// All IR operators of one model operator, or IR that stands for none.
struct Unit {
  llvm::SmallVector<mlir::Operation *> operators; ///< in program order
  /// Indices of units whose values this one uses, and of those that use its own; ascending.
  llvm::SmallVector<unsigned> predecessors, successors;
};

/// Units of a function of one block, in program order of their first operator. Operators that
/// share a model operator, or depend on each other in a circle, are one unit. Constants belong to
/// none, but one that the function returns is a unit: something must produce it.
class UnitGraph {
public:
  explicit UnitGraph(mlir::func::FuncOp function);

  llvm::ArrayRef<Unit> units() const { return all; }
  size_t size() const { return all.size(); }
  mlir::func::FuncOp function() const { return root; }

  /// The unit of \p op; nothing for constants that are not returned.
  std::optional<unsigned> unitOf(mlir::Operation *op) const;
  /// The units of \p operators, ascending, each once.
  llvm::SmallVector<unsigned> unitsOf(llvm::ArrayRef<mlir::Operation *> operators) const;
  /// The operators of \p units in program order.
  llvm::SmallVector<mlir::Operation *> operatorsOf(llvm::ArrayRef<unsigned> units) const;

private:
  void group(llvm::ArrayRef<mlir::Operation *> operators);
  void connect();
  bool joinCircles();

  mlir::func::FuncOp root;
  std::vector<Unit> all;
  llvm::DenseMap<mlir::Operation *, unsigned> unitByOperator, position;
};

/// A constant, which is copied to wherever it is used.
bool isConstant(mlir::Operation *op);
bool isConstant(mlir::Value value);

/// Calls \p visit with each value from outside \p op that it or its body uses.
void visitUsedValues(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> visit);

} // namespace tenon::partition
