// SPDX-License-Identifier: Apache-2.0
// Reads where everything runs off a partitioned module.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "partition/Report.h"

namespace tenon::partition {

/// \p module after outline-partitions.
Report makeReport(mlir::ModuleOp module);

/// Multiply-accumulates of \p op and what it holds.
uint64_t countMacs(mlir::Operation *op);

} // namespace tenon::partition
