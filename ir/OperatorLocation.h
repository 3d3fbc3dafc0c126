// SPDX-License-Identifier: Apache-2.0
// How IR remembers which operator of the model it came from.
#pragma once
#include <optional>
#include <string>

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::ir {

/// One operator of the model file.
struct ModelOperator {
  int64_t index;    ///< position in the model's execution order
  std::string type; ///< the format's own word, "CONV_2D"
  std::string name; ///< name of its first output tensor
  bool operator<(const ModelOperator &other) const { return index < other.index; }
  bool operator==(const ModelOperator &other) const { return index == other.index; }
};

/// The location of IR that stands for \p op: `loc("conv_3"("CONV_2D":12:0))`.
mlir::Location makeOperatorLocation(mlir::MLIRContext *context, const ModelOperator &op);

/// All operators of the model that \p location names, fused ones included, by index,
/// each once; empty for IR that stands for none (an edge cast).
llvm::SmallVector<ModelOperator> getModelOperators(mlir::Location location);

/// A location naming the operators of all \p locations.
mlir::Location fuseOperatorLocations(mlir::MLIRContext *context,
                                     llvm::ArrayRef<mlir::Location> locations);

} // namespace tenon::ir
