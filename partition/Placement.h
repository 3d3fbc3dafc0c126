// SPDX-License-Identifier: Apache-2.0
// Decides where each unit runs, to a fixed point of matching, scheduling and cost.
#pragma once
#include "partition/RegionCosts.h"

namespace tenon::partition {

/// Gives each unit to the first target that can run it, cuts the graph into regions, returns
/// regions that are not worth their cost to the next target, and repeats until nothing changes.
/// What is given away is matched anew without it. Deterministic.
class Placement {
public:
  /// \p initial: the candidates as match-composites found them.
  Placement(const UnitGraph &graph, Targets targets, std::vector<TargetMatches> initial);

  /// Fails, after a diagnostic, if a unit can run nowhere.
  mlir::LogicalResult run();

  llvm::ArrayRef<Region> regions() const { return schedule.regions; }
  llvm::ArrayRef<Atom> atoms() const { return atomList; }
  /// The match that \p atom is, null if it is a unit as it stands.
  const Match *matchOf(const Atom &atom) const;
  /// Why the targets preferred to the one that \p unit runs on do not run it.
  std::vector<std::pair<unsigned, backend::Refusal>> refusals(unsigned unit) const;

private:
  mlir::LogicalResult assign();
  void match(unsigned target);
  void makeAtoms();
  void connectAtoms(llvm::ArrayRef<unsigned> atomOfUnit);
  void breakCircle();
  bool returnRegions();
  llvm::SmallVector<unsigned> unitsOf(const Region &region) const;

  static constexpr unsigned kNowhere = ~0u;
  const UnitGraph &graph;
  Targets targets;
  const std::vector<TargetMatches> initial;
  std::vector<Eligibility> eligibility;
  std::vector<Restrictions> restrictions; ///< by target, those of `matches`
  std::vector<TargetMatches> matches;     ///< by target
  std::vector<unsigned> targetOf;         ///< by unit
  std::vector<Atom> atomList;
  Schedule schedule;
  RegionCosts costs;
};

} // namespace tenon::partition
