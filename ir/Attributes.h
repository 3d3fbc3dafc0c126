// SPDX-License-Identifier: Apache-2.0
// Names of the attributes that docs/ir.md states.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tenon::ir {

/// On an operator that makes a model tensor: {scale, zero_point}.
inline constexpr llvm::StringLiteral kQuant = "tenon.quant";
/// On an operator, from match-composites on: number of the unit it belongs to.
inline constexpr llvm::StringLiteral kUnit = "tenon.unit";
/// On a function of a partition: the target that owns it.
inline constexpr llvm::StringLiteral kTarget = "tenon.target";

/// On @main's arguments and results: name and type outside, quantisation.
inline constexpr llvm::StringLiteral kName = "tenon.name";
inline constexpr llvm::StringLiteral kElement = "tenon.element";
inline constexpr llvm::StringLiteral kScale = "tenon.scale";
inline constexpr llvm::StringLiteral kZeroPoint = "tenon.zero_point";

} // namespace tenon::ir
