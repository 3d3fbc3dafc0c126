// SPDX-License-Identifier: Apache-2.0
// tenon-match-composites: every target's pattern table, each as if it were alone.
#include "partition/Eligibility.h"
#include "partition/TargetPass.h"

namespace tenon::partition {
namespace {

struct MatchComposites : TargetPass<MatchComposites> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MatchComposites)
  explicit MatchComposites(TargetSource source) : TargetPass(std::move(source)) {}
  llvm::StringRef getArgument() const override { return "tenon-match-composites"; }

  mlir::LogicalResult runOnMain(mlir::func::FuncOp main) {
    UnitGraph graph(main);
    std::vector<TargetMatches> found;
    for (const auto &backend : targets) {
      Restrictions restrictions;
      for (const auto &excluded : readExclusions(graph, backend->name()))
        restrictions.available.push_back(!excluded);
      found.push_back(findMatches(graph, *backend, restrictions));
    }
    writeCandidates(graph, targets, found);
    return mlir::success();
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createMatchCompositesPass(TargetSource targets) {
  return std::make_unique<MatchComposites>(std::move(targets));
}

} // namespace tenon::partition
