// SPDX-License-Identifier: Apache-2.0
// Finds the frontend for a model file.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "support/Bytes.h"

namespace tenon::compiler {

/// Loads the dialects of graphs into \p context.
void loadGraphDialects(mlir::MLIRContext &context);

/// Imports \p model: a TFLite file by its identifier, else MLIR text if \p modelName ends in
/// ".mlir". Fails with one line that begins with \p modelName.
Expected<mlir::OwningOpRef<mlir::ModuleOp>> importModel(mlir::MLIRContext &context, ByteSpan model,
                                                        const std::string &modelName);

} // namespace tenon::compiler
