// SPDX-License-Identifier: Apache-2.0
// Holds a view's numbers against a table's limits.
#pragma once
#include <optional>
#include <variant>

#include "backend/api/Claim.h"
#include "backend/api/Refusal.h"
#include "backend/library/Npu.h"
#include "support/Error.h"

namespace tenon::library {

/// A reshape: the output is the input's bytes.
struct Renaming {
  Tensor input, output;
};

using View = std::variant<Convolution, Addition, Pooling, SignFlip, Renaming>;

/// Names of the parameters that \p op has, in the order they are documented.
std::vector<std::string> parametersOf(Operator op);

/// The numbers of \p parameter in \p view, whose constants other than scales may be missing; empty
/// if it has none.
std::vector<int64_t> numbersOf(const View &view, const std::string &parameter);

/// The first limit of \p composite that \p view breaks, as a refusal of target \p npu.
std::optional<backend::Refusal> check(const std::string &npu, const Composite &composite,
                                      const View &view);

/// The limits of \p npu as claims, at least one a composite.
std::vector<backend::Claim> claimsOf(const Npu &npu);

/// Fails, naming the composite, if the table contradicts itself: names, code of another view,
/// unknown parameters, limits that nothing meets.
Expected<void> validate(const Npu &npu);

/// docs/library-style.md's table of parameters.
std::string parameterTable();

} // namespace tenon::library
