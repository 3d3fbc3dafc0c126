// SPDX-License-Identifier: Apache-2.0
// What the host can lower, and the reason where it cannot.
#pragma once
#include <optional>

#include "backend/api/Refusal.h"
#include "mlir/IR/Operation.h"

namespace tenon::host {

/// Nothing if the host lowers \p op, for a composite its whole body; else the first rule broken.
std::optional<backend::Refusal> checkCapability(mlir::Operation *op);

} // namespace tenon::host
