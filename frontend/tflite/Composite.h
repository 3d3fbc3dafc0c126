// SPDX-License-Identifier: Apache-2.0
// Composites whose bodies are written with linalg.generic and arith.
#pragma once
#include <functional>

#include "frontend/tflite/GraphBuilder.h"

namespace tenon::tflite {

/// Emits `tenon.composite "NAME"` of one result; \p body gets the block arguments, emits through
/// the builder (constants too) and returns the result.
mlir::Value emitComposite(GraphBuilder &builder, llvm::StringRef name, mlir::ValueRange inputs,
                          mlir::Type result, mlir::DictionaryAttr parameters,
                          const std::function<mlir::Value(mlir::ValueRange)> &body);

/// Scalar code of one element: the inputs' elements in, the results' elements out.
using ScalarBody =
    std::function<llvm::SmallVector<mlir::Value>(class ScalarBuilder &, mlir::ValueRange)>;

/// linalg.generic over the first input's shape; inputs of extent 1 are broadcast. \p elements: one
/// result each, of the first input's shape.
llvm::SmallVector<mlir::Value> emitGeneric(GraphBuilder &builder, mlir::ValueRange inputs,
                                           llvm::ArrayRef<mlir::Type> elements,
                                           const ScalarBody &body);

/// Arithmetic on i32 and i64 scalars in the reference kernels' words.
class ScalarBuilder {
public:
  ScalarBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}
  mlir::Value constant(int64_t value, unsigned bits = 32);
  mlir::Value real(double value);
  mlir::Value extend(mlir::Value value, unsigned bits);
  mlir::Value truncate(mlir::Value value, unsigned bits);
  mlir::Value add(mlir::Value a, mlir::Value c);
  mlir::Value sub(mlir::Value a, mlir::Value c);
  mlir::Value mul(mlir::Value a, mlir::Value c);
  mlir::Value shiftLeft(mlir::Value a, mlir::Value c);
  mlir::Value shiftRight(mlir::Value a, mlir::Value c);
  mlir::Value smaller(mlir::Value a, mlir::Value c);
  mlir::Value larger(mlir::Value a, mlir::Value c);
  mlir::Value isNegative(mlir::Value a);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value c);
  /// SaturatingRoundingDoublingHighMul of i32 (operands are never both the lowest value).
  mlir::Value highMul(mlir::Value a, mlir::Value c);
  /// RoundingDivideByPOT of i32 or i64: ties away from zero.
  mlir::Value roundingShift(mlir::Value a, mlir::Value exponent);

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace tenon::tflite
