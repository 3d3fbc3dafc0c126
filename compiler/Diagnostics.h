// SPDX-License-Identifier: Apache-2.0
// MLIR's diagnostics as one Error.
#pragma once
#include "mlir/IR/Diagnostics.h"
#include "support/Error.h"

namespace tenon::compiler {

/// Keeps the first error reported while it lives, and prints nothing.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext &context);

  /// `STAGE failed` if nothing was reported. Line breaks become spaces.
  Error error(const std::string &stage) const;

private:
  std::string first;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tenon::compiler
