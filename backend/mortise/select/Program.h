// SPDX-License-Identifier: Apache-2.0
// Turns element-wise operators of the graph into a VEC micro-program.
#pragma once
#include <functional>

#include "backend/mortise/layers/LayerGraph.h"
#include "mlir/IR/Value.h"
#include "support/Error.h"

namespace tenon::mortise {

inline constexpr size_t kMaxMicroOps = 16;

/// Where a program's input is read.
struct ProgramInput {
  mlir::Value value;
  int32_t zeroPoint = 0; ///< of its tensor: the engine reads raw - zeroPoint
};

/// The program that computes \p result (int8, as in the graph) from \p inputs, the first being
/// operand a and the second operand b, and leaves result - \p outputZeroPoint.
/// Fails with the reason if it is too long or an operator has no micro-op.
Expected<ElementwiseLayer> makeProgram(mlir::Value result, std::vector<ProgramInput> inputs,
                                       int32_t outputZeroPoint);

/// A micro-op, its operands in order.
inline MicroOp microOp(MicroOpcode op, uint8_t dst, uint8_t a, uint8_t b = 0, int32_t immediate = 0,
                       uint8_t option = 0) {
  MicroOp made;
  made.op = op;
  made.dst = dst;
  made.option = option;
  made.srcA = a;
  made.srcB = b;
  made.immediate = immediate;
  return made;
}

} // namespace tenon::mortise
