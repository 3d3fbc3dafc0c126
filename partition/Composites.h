// SPDX-License-Identifier: Apache-2.0
// Copies operators into bodies: a match becomes a composite.
#pragma once
#include <map>

#include "ir/TenonDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "partition/Candidates.h"

namespace tenon::partition {

/// Copies operators to a builder's place. Computed values must be in the mapping, or are used as
/// they are; each distinct constant is copied once.
class BodyWriter {
public:
  BodyWriter(mlir::OpBuilder builder, mlir::IRMapping &values) : builder(builder), values(values) {}

  /// Copies \p op, without what passes wrote for each other, and maps its results.
  void copy(mlir::Operation *op);
  /// Makes \p match a composite, and maps what is used outside it: first its root's results.
  ir::CompositeOp copyAsComposite(const UnitGraph &graph, const Match &match);

private:
  using ConstantKey = std::pair<std::pair<const void *, const void *>, const void *>;
  void copyConstant(mlir::Operation *op);
  void copyConstantsOf(mlir::Operation *op);

  mlir::OpBuilder builder;
  mlir::IRMapping &values;
  std::map<ConstantKey, mlir::Operation *> constants;
};

/// Computed values that \p operators use and others make, in order of use.
llvm::SmallVector<mlir::Value> findInputs(llvm::ArrayRef<mlir::Operation *> operators);

/// Values that \p operators make and others use, in order of production.
llvm::SmallVector<mlir::Value> findOutputs(llvm::ArrayRef<mlir::Operation *> operators);

/// Calls \p visit with \p match as a composite that stands nowhere and is gone afterwards.
void withComposite(const UnitGraph &graph, const Match &match,
                   llvm::function_ref<void(ir::CompositeOp)> visit);

} // namespace tenon::partition
