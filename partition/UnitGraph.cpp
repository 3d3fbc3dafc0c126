// SPDX-License-Identifier: Apache-2.0
// Groups a function's operators into units and finds who depends on whom.
#include "partition/UnitGraph.h"

#include <map>
#include <numeric>

#include "ir/OperatorLocation.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tenon::partition {
namespace {

bool isReturned(mlir::Operation *op) {
  return llvm::any_of(op->getUsers(), [](mlir::Operation *user) {
    return user->hasTrait<mlir::OpTrait::IsTerminator>();
  });
}

/// Adds \p value to the ascending list \p list, once.
void insertSorted(llvm::SmallVector<unsigned> &list, unsigned value) {
  auto at = llvm::lower_bound(list, value);
  if (at == list.end() || *at != value)
    list.insert(at, value);
}

/// Units that remain when those without remaining units before (\p before) are taken off.
llvm::SmallVector<unsigned> peel(llvm::ArrayRef<Unit> units, llvm::ArrayRef<unsigned> from,
                                 llvm::SmallVector<unsigned> Unit::*before,
                                 llvm::SmallVector<unsigned> Unit::*after) {
  std::vector<int> open(units.size(), -1);
  for (unsigned unit : from)
    open[unit] = 0;
  for (unsigned unit : from)
    for (unsigned other : units[unit].*before)
      open[unit] += open[other] >= 0;
  llvm::SmallVector<unsigned> ready;
  for (unsigned unit : from)
    if (open[unit] == 0)
      ready.push_back(unit);
  while (!ready.empty()) {
    const unsigned unit = ready.pop_back_val();
    open[unit] = -1;
    for (unsigned other : units[unit].*after)
      if (open[other] > 0) {
        --open[other];
        if (open[other] == 0)
          ready.push_back(other);
      }
  }
  llvm::SmallVector<unsigned> left;
  for (unsigned unit : from)
    if (open[unit] >= 0)
      left.push_back(unit);
  return left;
}

} // namespace

bool isConstant(mlir::Operation *op) { return op && op->hasTrait<mlir::OpTrait::ConstantLike>(); }
bool isConstant(mlir::Value value) { return isConstant(value.getDefiningOp()); }

void visitUsedValues(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> visit) {
  for (mlir::Value operand : op->getOperands())
    visit(operand);
  if (op->getNumRegions() == 0 || op->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
    return;
  for (mlir::Region &region : op->getRegions())
    region.walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (!op->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
            operand.getParentBlock()->getParentOp() != op)
          visit(operand);
    });
}

UnitGraph::UnitGraph(mlir::func::FuncOp function) : root(function) {
  llvm::SmallVector<mlir::Operation *> operators;
  for (mlir::Operation &op : function.getBody().front().without_terminator())
    if (!isConstant(&op) || isReturned(&op))
      operators.push_back(&op);
  for (auto [index, op] : llvm::enumerate(operators))
    position[op] = index;
  group(operators);
  connect();
  while (joinCircles())
    connect();
}

void UnitGraph::group(llvm::ArrayRef<mlir::Operation *> operators) {
  // Operators that name the same model operator are one class; the leader is the first.
  std::map<int64_t, unsigned> firstWith;
  llvm::EquivalenceClasses<unsigned> classes;
  for (auto [index, op] : llvm::enumerate(operators)) {
    classes.insert(index);
    if (isConstant(op))
      continue;
    for (const ir::ModelOperator &named : ir::getModelOperators(op->getLoc()))
      classes.unionSets(firstWith.try_emplace(named.index, index).first->second, index);
  }
  std::map<unsigned, unsigned> unitOfLeader;
  for (auto [index, op] : llvm::enumerate(operators)) {
    auto [found, isNew] = unitOfLeader.try_emplace(classes.getLeaderValue(index), all.size());
    if (isNew)
      all.emplace_back();
    all[found->second].operators.push_back(op);
    unitByOperator[op] = found->second;
  }
}

void UnitGraph::connect() {
  for (Unit &unit : all) {
    unit.predecessors.clear();
    unit.successors.clear();
  }
  for (auto [index, unit] : llvm::enumerate(all))
    for (mlir::Operation *op : unit.operators)
      visitUsedValues(op, [&, user = unsigned(index)](mlir::Value value) {
        mlir::Operation *producer = value.getDefiningOp();
        if (!producer || isConstant(producer) || unitByOperator.at(producer) == user)
          return;
        insertSorted(all[user].predecessors, unitByOperator.at(producer));
        insertSorted(all[unitByOperator.at(producer)].successors, user);
      });
}

bool UnitGraph::joinCircles() {
  llvm::SmallVector<unsigned> left(all.size());
  std::iota(left.begin(), left.end(), 0u);
  left = peel(all, left, &Unit::predecessors, &Unit::successors);
  left = peel(all, left, &Unit::successors, &Unit::predecessors);
  if (left.empty())
    return false;
  all[left.front()].operators = operatorsOf(left);
  for (unsigned unit : llvm::reverse(llvm::drop_begin(left)))
    all.erase(all.begin() + unit);
  for (auto [index, unit] : llvm::enumerate(all))
    for (mlir::Operation *op : unit.operators)
      unitByOperator[op] = index;
  return true;
}

std::optional<unsigned> UnitGraph::unitOf(mlir::Operation *op) const {
  auto found = unitByOperator.find(op);
  return found == unitByOperator.end() ? std::nullopt : std::optional(found->second);
}

llvm::SmallVector<unsigned> UnitGraph::unitsOf(llvm::ArrayRef<mlir::Operation *> operators) const {
  llvm::SmallVector<unsigned> units;
  for (mlir::Operation *op : operators)
    if (auto unit = unitOf(op))
      insertSorted(units, *unit);
  return units;
}

llvm::SmallVector<mlir::Operation *> UnitGraph::operatorsOf(llvm::ArrayRef<unsigned> units) const {
  llvm::SmallVector<mlir::Operation *> operators;
  for (unsigned unit : units)
    llvm::append_range(operators, all[unit].operators);
  llvm::sort(operators, [&](mlir::Operation *a, mlir::Operation *b) {
    return position.at(a) < position.at(b);
  });
  return operators;
}

} // namespace tenon::partition
