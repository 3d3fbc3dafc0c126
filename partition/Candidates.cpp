// SPDX-License-Identifier: Apache-2.0
// Runs pattern tables over the graph.
#include "partition/Candidates.h"

#include "partition/Attributes.h"
#include "partition/Eligibility.h"

namespace tenon::partition {
namespace {

class TableRun {
public:
  TableRun(const UnitGraph &graph, std::string target, const Restrictions &restrictions)
      : graph(graph), target(std::move(target)), restrictions(restrictions) {
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
    if (auto between = findCircle(units))
      decline(pattern, units, circleRefusal(pattern, *between));
    else
      accept({pattern.name(), root, units, match->parameters});
  }

  backend::Refusal circleRefusal(const backend::Pattern &pattern, unsigned between) const {
    const std::string name = pattern.name(), other = describeUnit(graph, between);
    return {
        target + ".match.circle",
        fmt::format("{} would wait for itself through {}, which it does not cover", name, other),
        other, "operators with none between them that is not covered",
        fmt::format("change the network so that {} does not lie between them", other)};
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

  /// The first unit on a path that leaves \p units and comes back, where each match already made
  /// counts as one node; nothing if there is none.
  std::optional<unsigned> findCircle(llvm::ArrayRef<unsigned> units) const {
    std::vector<bool> seen(graph.size());
    for (unsigned unit : units)
      for (unsigned next : graph.units()[unit].successors)
        if (!llvm::is_contained(units, next) && leadsTo(units, next, seen))
          return next;
    return std::nullopt;
  }

  /// Does a path lead from \p start to one of \p units? What is \p seen already leads to none.
  bool leadsTo(llvm::ArrayRef<unsigned> units, unsigned start, std::vector<bool> &seen) const {
    llvm::SmallVector<unsigned> open;
    auto visit = [&](unsigned unit) {
      if (!seen[unit]) {
        seen[unit] = true;
        open.push_back(unit);
      }
    };
    visit(start);
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
  const std::string target;
  const Restrictions &restrictions;
  TargetMatches found;
};

} // namespace

TargetMatches findMatches(const UnitGraph &graph, const backend::Backend &backend,
                          const Restrictions &restrictions) {
  TableRun run(graph, backend.name(), restrictions);
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
