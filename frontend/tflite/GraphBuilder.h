// SPDX-License-Identifier: Apache-2.0
// Emits the graph of docs/ir.md operator by operator: values of tensors, constants, and the few
// TOSA forms that importers share.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "frontend/tflite/Model.h"
#include "frontend/tflite/Numerics.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::tflite {

using Shape = std::vector<int64_t>;

/// One import. Inside the graph uint8 tensors are int8: the zero points and constants that this
/// class hands out are already less 128.
class GraphBuilder {
public:
  GraphBuilder(mlir::MLIRContext &context, const Model &model);

  /// Makes @main with its edge casts; then operators are imported in order; then finish.
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> finish();
  Expected<void> start();
  /// Operators emitted from now on stand for \p op.
  void beginOperator(const Operator &op);

  const Operator &op() const { return *current; }
  /// The current operator's tensor; null if omitted or not there.
  const Tensor *inputTensor(size_t i) const;
  const Tensor *outputTensor(size_t i) const;
  /// Its value; a constant is made on first use.
  Expected<mlir::Value> input(size_t i);
  /// Sets the current operator's output; fails if the model states another shape or type.
  Expected<void> setOutput(size_t i, mlir::Value value);

  /// Constants of integer tensors (axes, shapes, paddings); fails on one that is computed.
  Expected<std::vector<int64_t>> integers(size_t i) const;

  mlir::OpBuilder b;
  mlir::Location loc;

  mlir::Type i8() { return b.getI8Type(); }
  mlir::Type i32() { return b.getI32Type(); }
  mlir::Type f32() { return b.getF32Type(); }
  /// Element type inside the graph; null if the graph has none for it.
  mlir::Type elementType(TensorType type);

  mlir::RankedTensorType type(const Shape &shape, mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }
  mlir::Value constant(mlir::DenseElementsAttr values);
  template <typename T> mlir::Value constants(std::span<const T> values, const Shape &shape) {
    return constant(mlir::DenseElementsAttr::get(type(shape, b.getIntegerType(8 * sizeof(T))),
                                                 llvm::ArrayRef<T>(values.data(), values.size())));
  }
  /// tensor<1xELEMENT> of an integer or, for floats, of its value.
  mlir::Value scalar(int64_t value, mlir::Type element);
  mlir::Value shapeOf(const Shape &shape);

  mlir::Value reshape(mlir::Value value, const Shape &shape);
  /// TFLite's MultiplyByQuantizedMultiplier (for \p rounding DOUBLE) from \p inputZeroPoint to \p
  /// outputZeroPoint; one multiplier, or one a channel.
  mlir::Value rescale(mlir::Value value, mlir::Type element,
                      std::span<const Multiplier> multipliers, int64_t inputZeroPoint,
                      int64_t outputZeroPoint,
                      mlir::tosa::RoundingMode rounding = mlir::tosa::RoundingMode::DOUBLE_ROUND);
  /// int8 to int32 less its zero point, exact, times 2^\p leftShift.
  mlir::Value widen(mlir::Value value, int64_t zeroPoint, int leftShift = 0);
  /// Nothing if the bounds are int8's own.
  mlir::Value clamp(mlir::Value value, const Bounds &bounds);
  mlir::Value clampFloat(mlir::Value value, float low, float high);
  mlir::Value slice(mlir::Value value, const Shape &start, const Shape &size);

private:
  const Model &model;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp main;
  std::vector<mlir::Value> values; ///< by tensor
  const Operator *current = nullptr;

  Expected<mlir::Value> valueOf(int32_t tensor);
  Expected<mlir::Value> constantOf(const Tensor &tensor);
  mlir::DictionaryAttr edgeAttributes(const Tensor &tensor);
  mlir::Value edgeCast(mlir::Value value, bool entering);
};

/// uint8's zero point as int8's; others as they are.
inline int64_t zeroPointOf(const Tensor &tensor) {
  return tensor.zeroPoint() - (tensor.type == TensorType::UINT8 ? 128 : 0);
}
inline bool isByte(const Tensor &tensor) {
  return tensor.type == TensorType::UINT8 || tensor.type == TensorType::INT8;
}
inline bool isFloat(const Tensor &tensor) { return tensor.type == TensorType::FLOAT32; }

} // namespace tenon::tflite
