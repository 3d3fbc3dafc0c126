// SPDX-License-Identifier: Apache-2.0
// A partition's function as calls on places in memory.
#pragma once
#include "backend/api/Backend.h"
#include "backend/library/ReadView.h"
#include "ir/TenonDialect.h"

namespace tenon::library {

/// One composite of a function: its view has names and places.
struct Step {
  mlir::Operation *composite = nullptr;
  Found found;
  Row row;

  /// The function's value for one of the composite's body: its result or an operand.
  mlir::Value outer(mlir::Value inner) const;
  std::vector<int64_t> operators() const;
};

/// Bytes to bring to an output that no step can write in place.
struct OutputCopy {
  Place from, to;
};

struct PlacedFunction {
  std::vector<Step> steps; ///< in order of execution
  std::vector<OutputCopy> copies;
  std::vector<uint64_t> inputBytes, outputBytes;
  uint64_t scratchBytes = 0;
};

/// The row that made \p op of target \p npu, and what it holds; nothing if none did.
std::optional<Step> readStep(mlir::Operation *op, const std::string &npu,
                             const std::vector<Row> &rows, bool withConstants);

/// Gives each tensor of \p function a place: edges in the caller's buffers, the others in scratch
/// over their lives; what a reshape makes has its operand's. Fails if it holds anything but
/// composites of
/// \p rows.
Expected<PlacedFunction> placeFunction(mlir::func::FuncOp function, const std::string &npu,
                                       const std::vector<Row> &rows);

} // namespace tenon::library
