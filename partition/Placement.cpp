// SPDX-License-Identifier: Apache-2.0
// Assignment, atoms, circles and cost, repeated to a fixed point.
#include "partition/Placement.h"

#include "partition/Attributes.h"

namespace tenon::partition {

Placement::Placement(const UnitGraph &graph, Targets targets, std::vector<TargetMatches> found)
    : graph(graph), targets(targets), initial(std::move(found)), restrictions(targets.size()),
      matches(initial), costs(graph, targets, initial, eligibility) {
  for (const auto &backend : targets)
    eligibility.emplace_back(graph, *backend);
  for (auto [target, restriction] : llvm::enumerate(restrictions)) {
    restriction.available.resize(graph.size());
    for (unsigned unit = 0; unit < graph.size(); ++unit)
      restriction.available[unit] = !eligibility[target].exclusion(unit);
  }
}

mlir::LogicalResult Placement::run() {
  // Each round but the last bars a pattern or a target from a unit, so this ends.
  while (true) {
    if (mlir::failed(assign()))
      return mlir::failure();
    makeAtoms();
    schedule = scheduleRegions(atomList, targets.size());
    if (!schedule.stuck.empty())
      breakCircle();
    else if (!returnRegions())
      return mlir::success();
  }
}

mlir::LogicalResult Placement::assign() {
  targetOf.assign(graph.size(), kNowhere);
  for (unsigned target = 0; target < targets.size(); ++target) {
    match(target);
    for (unsigned unit = 0; unit < graph.size(); ++unit)
      if (targetOf[unit] == kNowhere && !eligibility[target].refusal(unit, matches[target]))
        targetOf[unit] = target;
  }
  for (unsigned unit = 0; unit < graph.size(); ++unit)
    if (targetOf[unit] == kNowhere)
      return reportUnplaced(graph, unit, *targets.back(),
                            *eligibility.back().refusal(unit, matches.back()));
  return mlir::success();
}

void Placement::match(unsigned target) {
  Restrictions now = restrictions[target];
  for (unsigned unit = 0; unit < graph.size(); ++unit)
    now.available[unit] = targetOf[unit] == kNowhere && !eligibility[target].exclusion(unit);
  if (now.available == restrictions[target].available)
    return;
  matches[target] = findMatches(graph, *targets[target], now);
  restrictions[target] = std::move(now);
}

const Match *Placement::matchOf(const Atom &atom) const {
  const int match = matches[atom.target].matchOf[atom.units.front()];
  return match < 0 ? nullptr : &matches[atom.target].matches[match];
}

void Placement::makeAtoms() {
  atomList.clear();
  std::vector<unsigned> atomOfUnit(graph.size(), kNowhere);
  for (unsigned unit = 0; unit < graph.size(); ++unit) {
    if (atomOfUnit[unit] != kNowhere)
      continue;
    Atom atom{targetOf[unit], {unit}, {}, {}};
    if (const Match *match = matchOf(atom))
      atom.units = match->units;
    for (unsigned covered : atom.units)
      atomOfUnit[covered] = atomList.size();
    atomList.push_back(std::move(atom));
  }
  connectAtoms(atomOfUnit);
}

void Placement::connectAtoms(llvm::ArrayRef<unsigned> atomOfUnit) {
  for (unsigned index = 0; index < atomList.size(); ++index) {
    std::set<unsigned> before;
    for (unsigned unit : atomList[index].units)
      for (unsigned other : graph.units()[unit].predecessors)
        if (atomOfUnit[other] != index)
          before.insert(atomOfUnit[other]);
    atomList[index].predecessors.assign(before.begin(), before.end());
    for (unsigned other : before)
      atomList[other].successors.push_back(index);
  }
}

/// Matches of several targets may wait for each other: the least preferred one gives way.
void Placement::breakCircle() {
  const Atom *least = nullptr;
  for (unsigned index : schedule.stuck)
    if (const Atom &atom = atomList[index]; atom.units.size() > 1)
      if (!least || atom.target >= least->target)
        least = &atom;
  assert(least && "units alone form no circle");
  const unsigned target = least->target;
  const Match match = *matchOf(*least);
  for (unsigned unit : match.units)
    restrictions[target].barred.insert({unit, match.pattern});
  matches[target] = findMatches(graph, *targets[target], restrictions[target]);
  for (unsigned unit : match.units)
    if (!matches[target].declined[unit])
      matches[target].declined[unit] =
          Declined{match.pattern,
                   {targets[target]->name() + ".region.circle",
                    match.pattern + " would wait for itself through another target's composite",
                    match.pattern, "composites that do not wait for each other",
                    "leave the other target out of --target"}};
}

llvm::SmallVector<unsigned> Placement::unitsOf(const Region &region) const {
  llvm::SmallVector<unsigned> units;
  for (unsigned atom : region.atoms)
    llvm::append_range(units, atomList[atom].units);
  llvm::sort(units);
  return units;
}

/// Gives back the most preferred target's regions that are not worth it; the others are judged
/// again when its operators have found their place.
bool Placement::returnRegions() {
  for (unsigned target = 0; target < targets.size(); ++target) {
    bool changed = false;
    for (const Region &region : schedule.regions) {
      if (region.target != target)
        continue;
      const auto units = unitsOf(region);
      auto refusal = costs.refuse(target, units, matches[target]);
      if (!refusal)
        continue;
      changed = true;
      for (unsigned unit : units)
        eligibility[target].exclude(unit, *refusal);
    }
    if (changed)
      return true;
  }
  return false;
}

std::vector<std::pair<unsigned, backend::Refusal>> Placement::refusals(unsigned unit) const {
  std::vector<std::pair<unsigned, backend::Refusal>> all;
  for (unsigned target = 0; target < targetOf[unit]; ++target)
    if (auto refusal = eligibility[target].refusal(unit, matches[target]))
      all.emplace_back(target, *refusal);
  return all;
}

} // namespace tenon::partition
