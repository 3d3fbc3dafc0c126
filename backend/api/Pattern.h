// SPDX-License-Identifier: Apache-2.0
// Patterns: what a backend can swallow whole.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "backend/api/Refusal.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::backend {

/// IR operators that would become one composite.
struct Match {
  /// Every operator covered, the root (whose results are the composite's first
  /// results) among them. Constants are not listed: they are copied into the body.
  llvm::SmallVector<mlir::Operation *> operators;
  /// Recorded on the composite as `parameters`; may be null.
  mlir::DictionaryAttr parameters;
};

/// One row of a backend's ordered pattern table.
class Pattern {
public:
  virtual ~Pattern() = default;

  /// The composite made of a match: "mortise.conv2d".
  virtual std::string name() const = 0;

  /// Does the graph that ends in \p root have this shape? Looks at structure only and
  /// declines quietly. Must not change IR.
  virtual std::optional<Match> match(mlir::Operation *root) const = 0;

  /// Can the target run this match? Nothing if yes, else the first rule it breaks.
  virtual std::optional<Refusal> check(const Match &match) const = 0;
};

} // namespace tenon::backend
