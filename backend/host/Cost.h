// SPDX-License-Identifier: Apache-2.0
// How long the host takes, as the partitioner needs to know it.
#pragma once
#include "backend/api/Backend.h"

namespace tenon::host {

/// Nanoseconds of \p op on one core, a composite counting as its body: multiply-accumulates at
/// a fixed rate, plus the bytes of operands and results at another.
backend::Cost estimateCost(mlir::Operation *op);

} // namespace tenon::host
