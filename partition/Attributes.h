// SPDX-License-Identifier: Apache-2.0
// What the partition passes write on operators for each other and for reports.
#pragma once
#include <optional>

#include "backend/api/Refusal.h"
#include "ir/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tenon::partition {

/// [{target, pattern, match, root?, parameters?} | {target, pattern, refusal}]; operators with
/// one target and match number are one match.
inline constexpr llvm::StringLiteral kCandidates = "tenon.candidates";
/// ["mortise", "host"]: who can run it, by preference.
inline constexpr llvm::StringLiteral kTargets = "tenon.targets";
/// [{target, rule, reason, value, limit, remedy}]: who does not, and why.
inline constexpr llvm::StringLiteral kRefusals = "tenon.refusals";
/// As kRefusals, on the input: targets that may not take the operator, though they could.
inline constexpr llvm::StringLiteral kExcluded = "tenon.excluded";
using ir::kQuant, ir::kTarget, ir::kUnit;

mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context, llvm::StringRef target,
                                 const backend::Refusal &refusal);
/// Missing entries become empty.
backend::Refusal toRefusal(mlir::DictionaryAttr attribute);
/// The text of entry \p key, "" if there is none.
llvm::StringRef textOf(mlir::DictionaryAttr attribute, llvm::StringRef key);

/// The dictionaries of the array attribute \p name on \p op; none if it is not there.
llvm::SmallVector<mlir::DictionaryAttr> dictionariesOf(mlir::Operation *op, llvm::StringRef name);

/// Sets the array attribute \p name, or removes it if \p entries is empty.
void setArray(mlir::Operation *op, llvm::StringRef name, llvm::ArrayRef<mlir::Attribute> entries);

/// Adds a refusal to the array attribute \p name of \p op.
void addRefusal(mlir::Operation *op, llvm::StringRef name, llvm::StringRef target,
                const backend::Refusal &refusal);

} // namespace tenon::partition
