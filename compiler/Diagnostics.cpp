// SPDX-License-Identifier: Apache-2.0
// Collects MLIR's diagnostics.
#include "compiler/Diagnostics.h"

#include <algorithm>

namespace tenon::compiler {

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext &context)
    : handler(&context, [this](mlir::Diagnostic &diagnostic) {
        if (first.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          first = diagnostic.str();
        return mlir::success();
      }) {}

Error DiagnosticCollector::error(const std::string &stage) const {
  std::string line = first.empty() ? stage + " failed" : first;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return {line};
}

} // namespace tenon::compiler
