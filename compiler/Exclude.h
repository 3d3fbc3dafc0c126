// SPDX-License-Identifier: Apache-2.0
// Keeps a target off operators that it could not compile.
#pragma once
#include "backend/api/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::compiler {

/// Marks on \p graph, with \p failure's reason, the units that \p function holds of the operators
/// \p failure names, or all of its units if it names none of them.
void excludeUnits(mlir::ModuleOp graph, mlir::func::FuncOp function, const std::string &target,
                  const backend::CompileFailure &failure);

} // namespace tenon::compiler
