// SPDX-License-Identifier: Apache-2.0
// Partitioning as one list of passes.
#include "partition/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tenon::partition {

void buildPartitionPipeline(mlir::OpPassManager &manager, const TargetSource &targets,
                            llvm::function_ref<void(mlir::OpPassManager &)> beforeOutline) {
  manager.addPass(createMatchCompositesPass(targets));
  manager.addPass(createAnnotateTargetsPass(targets));
  manager.addPass(createMergeRegionsPass(targets));
  if (beforeOutline)
    beforeOutline(manager);
  manager.addPass(createOutlinePartitionsPass());
}

void registerPasses(const TargetSource &targets) {
  mlir::registerPass([=] { return createMatchCompositesPass(targets); });
  mlir::registerPass([=] { return createAnnotateTargetsPass(targets); });
  mlir::registerPass([=] { return createMergeRegionsPass(targets); });
  mlir::registerPass([] { return createOutlinePartitionsPass(); });
  static const TargetSource source = targets;
  mlir::PassPipelineRegistration<> pipeline(
      "tenon-partition", "the four steps of partitioning",
      [](mlir::OpPassManager &manager) { buildPartitionPipeline(manager, source); });
}

} // namespace tenon::partition
