// SPDX-License-Identifier: Apache-2.0
// Numbers and describes the tensors that partitions hand each other.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "package/Package.h"

namespace tenon::compiler {

/// Values of @main after outline-partitions as package tensors. The network's inputs and outputs
/// have the names and types of its signature, the others those of the operators that make them.
class TensorTable {
public:
  explicit TensorTable(mlir::ModuleOp module);

  /// A value's number, a new one at its first use. Fails if its type has no place in a package.
  Expected<uint32_t> numberOf(mlir::Value value);

  std::vector<package::Tensor> take() { return std::move(tensors); }

private:
  Expected<package::Tensor> describe(mlir::Value value);
  mlir::DictionaryAttr edgeAttributes(mlir::Value value);
  void describeInside(mlir::Value value, package::Tensor &tensor);

  mlir::ModuleOp module;
  mlir::func::FuncOp main;
  llvm::DenseMap<mlir::Value, uint32_t> numbers;
  std::vector<package::Tensor> tensors;
};

} // namespace tenon::compiler
