// SPDX-License-Identifier: Apache-2.0
// From an imported graph to a package: partition, compile each target's share, assemble.
#pragma once
#include "compiler/Compiler.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "partition/Candidates.h"

namespace tenon::compiler {

/// Compiles \p graph (docs/ir.md) for \p targets. If a target cannot compile what it was given, the
/// operators go to the next one, with its reason, and the graph is partitioned anew: \p graph then
/// carries `tenon.excluded`. \p options: exposeEdges and progress count.
Expected<Compilation> compileGraph(mlir::ModuleOp graph, partition::Targets targets,
                                   const CompileOptions &options);

} // namespace tenon::compiler
