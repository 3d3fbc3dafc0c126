// SPDX-License-Identifier: Apache-2.0
// A table's rows as the partitioner takes them.
#pragma once
#include "backend/api/Pattern.h"
#include "backend/library/ReadView.h"

namespace tenon::library {

/// \p npu and \p rows outlive the patterns.
std::vector<std::unique_ptr<backend::Pattern>> makePatterns(const Npu &npu,
                                                            const std::vector<Row> &rows);

/// Why no row took \p op.
backend::Refusal refusalAlone(const Npu &npu, mlir::Operation *op);

} // namespace tenon::library
