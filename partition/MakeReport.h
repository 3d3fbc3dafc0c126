// SPDX-License-Identifier: Apache-2.0
// Reads where everything runs off a partitioned module.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "partition/Report.h"

namespace tenon::partition {

/// \p module after outline-partitions.
Report makeReport(mlir::ModuleOp module);

/// Adds who uses whose results, and shapes, from \p graph before partitioning.
void addEdges(Report &report, mlir::ModuleOp graph);

/// Multiply-accumulates of \p op and what it holds.
uint64_t countMacs(mlir::Operation *op);

} // namespace tenon::partition
