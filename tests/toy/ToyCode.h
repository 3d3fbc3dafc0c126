// SPDX-License-Identifier: Apache-2.0
// The toy's machine: values of 32-bit integers, commands of 16 words. toy_device.c runs it.
//   words  magic, #values, elements of each value,
//          #inputs, {value, bytes an element} each, #outputs, the same,
//          #commands, 16 words each: op, result, a, b, parameters
// All words are little-endian u32.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "support/Bytes.h"

namespace tenon::toy {

inline constexpr uint32_t kMagic = 0x31594f54; ///< "TOY1"
inline constexpr uint32_t kCommandVersion = 1;
inline constexpr size_t kCommandWords = 16;

enum class Op : uint32_t {
  Constant, ///< parameter 0: byte offset in the constants, i32 elements
  Add,
  Sub,
  Abs,
  Not,
  Clamp,   ///< minimum, maximum
  Rescale, ///< multiplier, shift, input and output zero point, double rounding, minimum, maximum
  MaxPool, ///< in h, w, c; out h, w; kernel h, w; stride h, w; padding top, left (batch 1)
};

struct ToyCode {
  Bytes commands, constants;
};

/// Fails, naming the operator, on what the machine cannot do.
Expected<ToyCode> emitCode(mlir::func::FuncOp function);

} // namespace tenon::toy
