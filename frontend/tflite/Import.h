// SPDX-License-Identifier: Apache-2.0
// The TFLite frontend: a model file's bytes in, the graph of docs/ir.md out.
#pragma once
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "support/Bytes.h"
#include "support/Error.h"

namespace tenon::tflite {

/// Imports untrusted \p bytes. \p context must have loaded the tenon, tosa, func, linalg, arith,
/// math and tensor dialects. Fails with one line; for an operator it cannot import, with its
/// index, type, version and tensor names.
Expected<mlir::OwningOpRef<mlir::ModuleOp>> importTflite(mlir::MLIRContext &context,
                                                         ByteSpan bytes);

/// The operators that can be imported, one line each, as docs/operators.md lists them.
struct SupportedOperator {
  std::string name, types, notes;
  int maxVersion = 1;
};
std::vector<SupportedOperator> supportedOperators();

} // namespace tenon::tflite
