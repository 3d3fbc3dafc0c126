// SPDX-License-Identifier: Apache-2.0
// A partitioned module and what the backends made of it, as one package.
#pragma once
#include <map>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "package/Package.h"
#include "partition/Report.h"

namespace tenon::compiler {

/// What backends made of functions, by symbol.
using CompiledParts = std::map<std::string, package::Partition>;

/// The functions that @main calls, in execution order.
std::vector<mlir::func::FuncOp> scheduledFunctions(mlir::ModuleOp module);
/// Its `tenon.target`.
std::string targetOf(mlir::func::FuncOp function);

/// Adds to \p parts the tensors between them, the tables of inputs, outputs and operators and the
/// memory plan. Fails, naming the tensor, if a type at an edge has no place in a package.
Expected<package::Package> makePackage(mlir::ModuleOp module, const partition::Report &report,
                                       CompiledParts parts,
                                       std::vector<package::HostCode> hostCode);

/// Of the graph's bytecode: equal graphs, equal hashes.
Hash128 hashGraph(mlir::ModuleOp graph);

} // namespace tenon::compiler
