// SPDX-License-Identifier: Apache-2.0
// Rewrites of the graph that know no target.
#pragma once
#include "mlir/Pass/Pass.h"

namespace tenon::transforms {

/// tenon-expose-edges, between merge-regions and outline-partitions: makes each model tensor that
/// a composite or a unit hands on an output of @main, after the model's own. Tensors inside
/// composites are fused away, and so are those of the names that @main returns already.
std::unique_ptr<mlir::Pass> createExposeEdgesPass();

/// Makes the passes known by their names to tenon-opt.
void registerPasses();

} // namespace tenon::transforms
