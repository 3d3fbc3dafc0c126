// SPDX-License-Identifier: Apache-2.0
// The four steps of partitioning, each a pass with readable IR between.
#pragma once
#include <functional>

#include "mlir/Pass/Pass.h"
#include "partition/Candidates.h"
#include "support/Error.h"

namespace mlir {
class OpPassManager;
}

namespace tenon::partition {

/// Gives the backends, by preference, when a pass begins; they outlive the pass.
using TargetSource = std::function<Expected<Targets>(mlir::MLIRContext &)>;

/// tenon-match-composites: on each operator, which patterns of which target cover it.
std::unique_ptr<mlir::Pass> createMatchCompositesPass(TargetSource targets);

/// tenon-annotate-targets: on each operator, who can run it, and for the others why not.
std::unique_ptr<mlir::Pass> createAnnotateTargetsPass(TargetSource targets);

/// tenon-merge-regions: decides who does, and makes `tenon.partition` regions of it that hold the
/// targets' composites. tenon.refusals then holds what preferred targets said.
std::unique_ptr<mlir::Pass> createMergeRegionsPass(TargetSource targets);

/// tenon-outline-partitions: regions become functions; @main calls them in execution order.
std::unique_ptr<mlir::Pass> createOutlinePartitionsPass();

/// The four, in order; \p beforeOutline may add passes that see the regions.
void buildPartitionPipeline(
    mlir::OpPassManager &manager, const TargetSource &targets,
    llvm::function_ref<void(mlir::OpPassManager &)> beforeOutline = nullptr);

/// Makes the passes known by their names to tenon-opt; once a process.
void registerPasses(const TargetSource &targets);

} // namespace tenon::partition
