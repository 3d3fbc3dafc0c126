// SPDX-License-Identifier: Apache-2.0
// Which tensor of the model a value is.
#pragma once
#include <string>

#include "mlir/IR/Value.h"

namespace tenon::ir {

struct ModelTensor {
  /// The producing operator's name for its first result, "NAME:1" for its second...; empty if the
  /// value is none of the model's tensors.
  std::string name;
  double scale = 0; ///< 0 where not quantised per tensor
  int64_t zeroPoint = 0;
};

/// The operator that computes \p value: looks through composites and partitions into their bodies.
/// Its own operator where it is a block argument there; null for a function's argument.
mlir::OpResult findProducer(mlir::Value value);

/// By the location and `tenon.quant` of the operator that computes \p value.
ModelTensor describeTensor(mlir::Value value);

} // namespace tenon::ir
