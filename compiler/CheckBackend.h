// SPDX-License-Identifier: Apache-2.0
// What backend/api promises and a backend's values may break.
#pragma once
#include "backend/api/Backend.h"

namespace tenon::compiler {

/// A text that \p what is wrong with a backend's value, or nothing.
using Problem = std::optional<std::string>;

/// Rows that are null, or whose composites do not begin with "\p name.".
Problem checkPatterns(const std::vector<std::unique_ptr<backend::Pattern>> &patterns,
                      const std::string &name);

/// Operators that are null, stand twice, are not \p root's neighbours, or do not include \p root.
Problem checkMatch(const backend::Match &match, mlir::Operation *root);

/// Failures of functions that there are not; else partitions that are missing or stand twice, have
/// another's symbol or target, or code that a package does not take.
Problem checkResult(const backend::CompileResult &result,
                    llvm::ArrayRef<backend::PartitionFunction> functions, const std::string &name);

/// \p refusal as one line an entry, each there; what is missing is said to be.
backend::Refusal tidy(backend::Refusal refusal, const std::string &name);

} // namespace tenon::compiler
