// SPDX-License-Identifier: Apache-2.0
// The operators and element types the host lowers, as tables.
#include "backend/host/Capability.h"

#include <string>

#include "ir/TenonDialect.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::host {
namespace {

using backend::Refusal;

const llvm::StringSet<> &knownTosa() {
  static const llvm::StringSet<> names = {"abs",
                                          "add",
                                          "argmax",
                                          "arithmetic_right_shift",
                                          "avg_pool2d",
                                          "bitwise_and",
                                          "bitwise_not",
                                          "bitwise_or",
                                          "bitwise_xor",
                                          "cast",
                                          "ceil",
                                          "clamp",
                                          "clz",
                                          "concat",
                                          "const",
                                          "const_shape",
                                          "conv2d",
                                          "conv3d",
                                          "cos",
                                          "depthwise_conv2d",
                                          "equal",
                                          "erf",
                                          "exp",
                                          "floor",
                                          "gather",
                                          "greater",
                                          "greater_equal",
                                          "identity",
                                          "intdiv",
                                          "log",
                                          "logical_and",
                                          "logical_left_shift",
                                          "logical_not",
                                          "logical_or",
                                          "logical_right_shift",
                                          "logical_xor",
                                          "matmul",
                                          "max_pool2d",
                                          "maximum",
                                          "minimum",
                                          "mul",
                                          "negate",
                                          "pad",
                                          "pow",
                                          "reciprocal",
                                          "reduce_all",
                                          "reduce_any",
                                          "reduce_max",
                                          "reduce_min",
                                          "reduce_product",
                                          "reduce_sum",
                                          "rescale",
                                          "reshape",
                                          "resize",
                                          "reverse",
                                          "rsqrt",
                                          "scatter",
                                          "select",
                                          "sigmoid",
                                          "sin",
                                          "slice",
                                          "sub",
                                          "table",
                                          "tanh",
                                          "tile",
                                          "transpose",
                                          "transpose_conv2d"};
  return names;
}

/// Dialects composites' bodies may use beside TOSA; all their tensor operators are lowered.
const llvm::StringSet<> &bodyDialects() {
  static const llvm::StringSet<> names = {"arith", "linalg", "math", "tensor"};
  return names;
}

bool isKnownElement(mlir::Type type) {
  type = mlir::getElementTypeOrSelf(type);
  if (llvm::isa<mlir::tosa::shapeType>(type) || type.isIndex())
    return true;
  if (type.isSignlessInteger())
    return llvm::is_contained({1u, 8u, 16u, 32u, 48u, 64u}, type.getIntOrFloatBitWidth());
  return type.isF16() || type.isF32() || type.isF64();
}

std::string text(mlir::Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

std::optional<Refusal> checkTypes(mlir::Operation *op) {
  for (auto types : {mlir::TypeRange(op->getOperandTypes()), mlir::TypeRange(op->getResultTypes())})
    for (mlir::Type type : types) {
      if (!isKnownElement(type))
        return Refusal{
            "host.element_type", "element type " + text(mlir::getElementTypeOrSelf(type)),
            text(mlir::getElementTypeOrSelf(type)), "bool, int8 to int64, float16 to float64",
            "convert the model to int8 or float32"};
      auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
      if (shaped && !shaped.hasStaticShape())
        return Refusal{"host.shape", "shape of " + text(type) + " is not static", text(type),
                       "static", "export the model with fixed shapes"};
    }
  return std::nullopt;
}

std::optional<Refusal> checkOne(mlir::Operation *op) {
  if (auto custom = llvm::dyn_cast<ir::CustomOp>(op))
    return Refusal{"host.kernel", "no host kernel is called \"" + custom.getName().str() + "\"",
                   custom.getName().str(), "none is registered",
                   "remove the operator from the model"};
  if (llvm::isa<ir::CompositeOp, ir::YieldOp>(op))
    return std::nullopt;
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  const bool known = dialect == "tosa" ? knownTosa().contains(op->getName().stripDialect())
                                       : bodyDialects().contains(dialect);
  if (!known)
    return Refusal{"host.operator", "no lowering for " + op->getName().getStringRef().str(),
                   op->getName().getStringRef().str(), "", "replace the operator in the model"};
  return checkTypes(op);
}

} // namespace

std::optional<Refusal> checkCapability(mlir::Operation *op) {
  std::optional<Refusal> refusal;
  op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inner) {
    refusal = checkOne(inner);
    return refusal ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return refusal;
}

} // namespace tenon::host
