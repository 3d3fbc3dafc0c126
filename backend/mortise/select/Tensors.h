// SPDX-License-Identifier: Apache-2.0
// Values of a partition's function, their zero points, and the tensors they become.
#pragma once
#include <vector>

#include "backend/mortise/layers/LayerGraph.h"
#include "backend/mortise/select/Parsed.h"
#include "backend/mortise/select/Select.h"
#include "ir/TenonDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tenon::mortise {

/// One composite of the function.
struct Step {
  ir::CompositeOp composite;
  Parsed parsed;

  /// The function's value for one of the composite's body: its result or a block argument.
  mlir::Value outer(mlir::Value inner) const;
  std::vector<int64_t> operators() const;
  SelectFailure failure(std::string_view rule, const std::string &value) const;
};

/// Zero points, as int8, by value: stated by operators that subtract them, shared by those that
/// only move or compare.
class ZeroPoints {
public:
  explicit ZeroPoints(const std::vector<Step> &steps);
  /// 0 if nothing states one.
  int32_t of(mlir::Value value) const;

private:
  void unify(const Step &step);
  void state(const Step &step);
  void set(mlir::Value value, int64_t zeroPoint);

  llvm::EquivalenceClasses<void *> classes;
  llvm::DenseMap<void *, int32_t> byLeader;
};

/// The tensors of a graph: one a value, where reshapes and edge casts are other names.
class Tensors {
public:
  Tensors(mlir::func::FuncOp function, const std::vector<Step> &steps, LayerGraph &graph);

  uint32_t of(mlir::Value value) const { return index.at(value); }
  /// \p tensor with other extents of the same size.
  uint32_t view(uint32_t tensor, Extents extents);
  uint32_t add(const std::string &name, Extents extents, DType dtype, int32_t zeroPoint);
  int32_t zeroPointOf(mlir::Value value) const { return zeroPoints.of(value); }

  /// Outputs that no layer can write in place: copied from another tensor at the end.
  struct OutputCopy {
    uint32_t from = 0, to = 0;
  };
  const std::vector<OutputCopy> &outputCopies() const { return copies; }

private:
  void addArgument(mlir::BlockArgument argument);
  void addResult(const Step &step);
  void addOutput(mlir::OpOperand &returned);
  uint32_t ownerOf(uint32_t tensor) const;
  bool isWrittenFor(mlir::Value source, mlir::OpOperand &returned, bool isUnsigned) const;
  void copyOwnersToAliases();

  LayerGraph &graph;
  ZeroPoints zeroPoints;
  llvm::DenseMap<mlir::Value, uint32_t> index;
  llvm::DenseMap<mlir::Value, const Step *> stepOf;
  std::vector<OutputCopy> copies;
};

} // namespace tenon::mortise
