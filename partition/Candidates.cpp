// SPDX-License-Identifier: Apache-2.0
// Runs pattern tables over the graph.
#include "partition/Candidates.h"

#include "partition/Attributes.h"

namespace tenon::partition {
namespace {

class TableRun {
public:
  TableRun(const UnitGraph &graph, const Restrictions &restrictions)
      : graph(graph), restrictions(restrictions) {
    found.matchOf.assign(graph.size(), -1);
    found.declined.resize(graph.size());
  }

  void tryPattern(const backend::Pattern &pattern) {
    for (const Unit &unit : llvm::reverse(graph.units()))
      for (mlir::Operation *root : llvm::reverse(unit.operators))
        if (!isConstant(root) && isFree(*graph.unitOf(root), pattern))
          tryRoot(pattern, root);
  }

  TargetMatches take() { return std::move(found); }

private:
  bool isFree(unsigned unit, const backend::Pattern &pattern) const {
    return restrictions.available[unit] && found.matchOf[unit] < 0 &&
           (restrictions.barred.empty() || !restrictions.barred.contains({unit, pattern.name()}));
  }

  void tryRoot(const backend::Pattern &pattern, mlir::Operation *root) {
    auto match = pattern.match(root);
    if (!match)
      return;
    auto units = graph.unitsOf(match->operators);
    if (!llvm::is_contained(match->operators, root) || !coversWholeUnits(*match, units) ||
        !llvm::all_of(units, [&](unsigned unit) { return isFree(unit, pattern); }))
      return;
    if (auto refusal = pattern.check(*match))
      return decline(pattern, units, *refusal);
    if (!makesCircle(units))
      accept({pattern.name(), root, units, match->parameters});
  }

  bool coversWholeUnits(const backend::Match &match, llvm::ArrayRef<unsigned> units) const {
    llvm::SmallPtrSet<mlir::Operation *, 16> covered(match.operators.begin(),
                                                     match.operators.end());
    return llvm::all_of(units, [&](unsigned unit) {
      return llvm::all_of(graph.units()[unit].operators,
                          [&](mlir::Operation *op) { return covered.contains(op); });
    });
  }

  void decline(const backend::Pattern &pattern, llvm::ArrayRef<unsigned> units,
               const backend::Refusal &refusal) {
    for (unsigned unit : units)
      if (!found.declined[unit])
        found.declined[unit] = Declined{pattern.name(), refusal};
  }

  void accept(Match match) {
    for (unsigned unit : match.units)
      found.matchOf[unit] = found.matches.size();
    found.matches.push_back(std::move(match));
  }

  /// Does a path leave \p units and come back, where each match already made counts as one node?
  bool makesCircle(llvm::ArrayRef<unsigned> units) const {
    std::vector<bool> seen(graph.size());
    llvm::SmallVector<unsigned> open;
    auto visit = [&](unsigned unit) {
      if (!seen[unit]) {
        seen[unit] = true;
        open.push_back(unit);
      }
    };
    for (unsigned unit : units)
      for (unsigned next : graph.units()[unit].successors)
        if (!llvm::is_contained(units, next))
          visit(next);
    while (!open.empty()) {
      const unsigned unit = open.pop_back_val();
      if (llvm::is_contained(units, unit))
        return true;
      if (int match = found.matchOf[unit]; match >= 0)
        llvm::for_each(found.matches[match].units, visit);
      llvm::for_each(graph.units()[unit].successors, visit);
    }
    return false;
  }

  const UnitGraph &graph;
  const Restrictions &restrictions;
  TargetMatches found;
};

} // namespace

TargetMatches findMatches(const UnitGraph &graph, const backend::Backend &backend,
                          const Restrictions &restrictions) {
  TableRun run(graph, restrictions);
  for (const auto &pattern : backend.patterns())
    run.tryPattern(*pattern);
  return run.take();
}

std::vector<std::optional<backend::Refusal>> readExclusions(const UnitGraph &graph,
                                                            llvm::StringRef target) {
  std::vector<std::optional<backend::Refusal>> excluded(graph.size());
  for (auto [index, unit] : llvm::enumerate(graph.units()))
    for (mlir::Operation *op : unit.operators)
      for (mlir::DictionaryAttr entry : dictionariesOf(op, kExcluded))
        if (textOf(entry, "target") == target && !excluded[index])
          excluded[index] = toRefusal(entry);
  return excluded;
}

} // namespace tenon::partition
