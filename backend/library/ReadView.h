// SPDX-License-Identifier: Apache-2.0
// Reads operators of the graph as the views that code functions take.
#pragma once
#include <optional>

#include "backend/library/Limits.h"
#include "backend/patterns/Parsed.h"

namespace tenon::library {

/// What one row of the pattern table recognises: a composite with or without what it may fuse.
struct Row {
  const Composite *composite = nullptr;
  patterns::Fusion fusion;
};

/// The rows of \p npu's table, those that fuse more first.
std::vector<Row> rowsOf(const Npu &npu);

/// Something that is no number and keeps an operator off: constants that are computed, say.
struct Obstacle {
  std::string rule, what, value, limit, remedy;
};

/// Operators that have a row's form. Tensors have shapes; names and places are the program's.
struct Found {
  llvm::SmallVector<mlir::Operation *> operators; ///< the root first
  llvm::SmallVector<mlir::Value> inputs;          ///< in the view's order
  mlir::Value result;
  std::optional<Obstacle> obstacle; ///< if there, the view is not complete
  View view;
};

/// The form that ends in \p root, or nothing. Without \p withConstants, weights, bias and tables
/// stay empty.
std::optional<Found> readView(mlir::Operation *root, const Row &row, bool withConstants);

/// The view's tensors: inputs, then the output.
std::vector<Tensor *> tensorsOf(View &view);

} // namespace tenon::library
