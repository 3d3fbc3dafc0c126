// SPDX-License-Identifier: Apache-2.0
// A table of composites as a backend.
#pragma once
#include "backend/api/Backend.h"
#include "backend/library/Npu.h"

namespace tenon::library {

/// The backend of \p npu, which outlives it, in configuration \p config. Fails if the table
/// contradicts itself or has no such configuration.
Expected<std::unique_ptr<backend::Backend>>
createBackend(const Npu &npu, mlir::MLIRContext &context, const std::string &config);

} // namespace tenon::library
