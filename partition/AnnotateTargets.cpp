// SPDX-License-Identifier: Apache-2.0
// tenon-annotate-targets: candidates and takesAlone become a list of targets and of refusals.
#include "mlir/IR/Builders.h"
#include "partition/Attributes.h"
#include "partition/Eligibility.h"
#include "partition/TargetPass.h"

namespace tenon::partition {
namespace {

struct AnnotateTargets : TargetPass<AnnotateTargets> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AnnotateTargets)
  explicit AnnotateTargets(TargetSource source) : TargetPass(std::move(source)) {}
  llvm::StringRef getArgument() const override { return "tenon-annotate-targets"; }

  mlir::LogicalResult runOnMain(mlir::func::FuncOp main) {
    UnitGraph graph(main);
    const auto matches = readCandidates(graph, targets);
    std::vector<Eligibility> eligibility;
    for (const auto &backend : targets)
      eligibility.emplace_back(graph, *backend);
    for (unsigned unit = 0; unit < graph.size(); ++unit)
      if (!annotate(graph, unit, matches, eligibility))
        return reportUnplaced(graph, unit, *targets.back(),
                              *eligibility.back().refusal(unit, matches.back()));
    return mlir::success();
  }

private:
  /// Writes both lists on the unit's operators; false if no target takes them.
  bool annotate(const UnitGraph &graph, unsigned unit, llvm::ArrayRef<TargetMatches> matches,
                llvm::ArrayRef<Eligibility> eligibility) {
    mlir::Builder builder(&getContext());
    llvm::SmallVector<mlir::Attribute> names, refusals;
    for (unsigned target = 0; target < targets.size(); ++target) {
      const std::string name = targets[target]->name();
      if (auto refusal = eligibility[target].refusal(unit, matches[target]))
        refusals.push_back(toAttribute(&getContext(), name, *refusal));
      else
        names.push_back(builder.getStringAttr(name));
    }
    for (mlir::Operation *op : graph.units()[unit].operators) {
      setArray(op, kTargets, names);
      setArray(op, kRefusals, refusals);
    }
    return !names.empty();
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createAnnotateTargetsPass(TargetSource targets) {
  return std::make_unique<AnnotateTargets>(std::move(targets));
}

} // namespace tenon::partition
