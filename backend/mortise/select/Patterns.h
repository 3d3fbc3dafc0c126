// SPDX-License-Identifier: Apache-2.0
// The pattern table: fused forms before plain ones.
#pragma once
#include <functional>

#include "backend/api/Pattern.h"
#include "backend/mortise/select/Parsed.h"

namespace tenon::mortise {

/// One row: a composite's name and what recognises it.
struct PatternRow {
  std::string name; ///< "mortise.conv2d_add"
  std::function<std::optional<Parsed>(mlir::Operation *)> parse;
};

const std::vector<PatternRow> &patternRows();
/// The rows as the partitioner takes them.
std::vector<std::unique_ptr<backend::Pattern>> makePatterns();

/// What composite \p op, made by one of the rows, holds; the values of the result are those of the
/// composite's body. Nothing if it is no such composite.
std::optional<Parsed> parseComposite(mlir::Operation *op);

/// Why no row took \p op.
backend::Refusal refusalAlone(mlir::Operation *op);

} // namespace tenon::mortise
