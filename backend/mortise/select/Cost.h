// SPDX-License-Identifier: Apache-2.0
// What a composite costs, as the partitioner weighs it: closed forms, no planning.
#pragma once
#include "backend/api/Backend.h"
#include "hardware/mortise/Config.h"

namespace tenon::mortise {

/// Time of composite \p op on \p config, alone; 0 for what is not a composite of this backend.
backend::Cost estimateCost(mlir::Operation *op, const Config &config);
/// Time to start a job, and to bring a partition's edges through DRAM.
backend::RegionCost estimateRegionCost(const Config &config);

} // namespace tenon::mortise
