// SPDX-License-Identifier: Apache-2.0
// Finds a partition's units in the graph it was made of.
#include "compiler/Exclude.h"

#include <set>

#include "ir/OperatorLocation.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "partition/Attributes.h"
#include "partition/UnitGraph.h"

namespace tenon::compiler {
namespace {

/// Units of operators in \p function that stand for one of \p wanted; all units if it is null.
std::set<int64_t> collectUnits(mlir::func::FuncOp function, const std::vector<int64_t> *wanted) {
  std::set<int64_t> units;
  function.walk([&](mlir::Operation *op) {
    auto unit = op->getAttrOfType<mlir::IntegerAttr>(partition::kUnit);
    if (!unit)
      return;
    const auto named = ir::getModelOperators(op->getLoc());
    if (!wanted || llvm::any_of(named, [&](const ir::ModelOperator &model) {
          return llvm::is_contained(*wanted, model.index);
        }))
      units.insert(unit.getInt());
  });
  return units;
}

} // namespace

void excludeUnits(mlir::ModuleOp graph, mlir::func::FuncOp function, const std::string &target,
                  const backend::CompileFailure &failure) {
  std::set<int64_t> units = collectUnits(function, &failure.operators);
  if (units.empty())
    units = collectUnits(function, nullptr);
  partition::UnitGraph numbered(graph.lookupSymbol<mlir::func::FuncOp>("main"));
  for (int64_t unit : units)
    for (mlir::Operation *op : numbered.units()[unit].operators)
      partition::addRefusal(op, partition::kExcluded, target, failure.refusal);
}

} // namespace tenon::compiler
