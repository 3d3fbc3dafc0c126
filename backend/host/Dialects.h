// SPDX-License-Identifier: Apache-2.0
// What the host's lowering needs in an MLIR context.
#pragma once
#include "mlir/IR/MLIRContext.h"

namespace tenon::host {

/// Loads the dialects, bufferisation interfaces and translations of the host's pipeline.
void loadDialects(mlir::MLIRContext &context);

} // namespace tenon::host
