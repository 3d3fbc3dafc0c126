// SPDX-License-Identifier: Apache-2.0
// Is a region worth entering? Its time there against its time on the next target.
#pragma once
#include <map>

#include "partition/Eligibility.h"
#include "partition/Schedule.h"

namespace tenon::partition {

/// Estimated times of atoms and regions, each atom asked for once.
class RegionCosts {
public:
  /// \p initial: each target's matches when it may take everything.
  RegionCosts(const UnitGraph &graph, Targets targets, llvm::ArrayRef<TargetMatches> initial,
              const std::vector<Eligibility> &eligibility)
      : graph(graph), targets(targets), initial(initial), eligibility(eligibility) {}

  /// Nothing if \p units are worth a region of \p target, or if one of them can run nowhere else;
  /// else the refusal "<target>.region.cost", or "<target>.region.conversion" if no operator of
  /// the model is among them. \p matches are the target's, as they stand.
  std::optional<backend::Refusal> refuse(unsigned target, llvm::ArrayRef<unsigned> units,
                                         const TargetMatches &matches);

private:
  using Key = std::pair<std::pair<unsigned, std::string>, llvm::SmallVector<unsigned>>;
  uint64_t ofMatch(unsigned target, const Match &match);
  uint64_t ofUnit(unsigned target, unsigned unit);
  uint64_t ofUnits(unsigned target, llvm::ArrayRef<unsigned> units, const TargetMatches &matches);
  uint64_t ofEdges(const backend::RegionCost &cost, llvm::ArrayRef<unsigned> units) const;
  /// Is there a model, and do \p units stand for none of its operators, as edge casts do?
  bool isOnlyConversion(llvm::ArrayRef<unsigned> units) const;
  std::optional<unsigned> nextTarget(unsigned target, unsigned unit) const;

  const UnitGraph &graph;
  Targets targets;
  llvm::ArrayRef<TargetMatches> initial;
  const std::vector<Eligibility> &eligibility;
  std::map<Key, uint64_t> known;
};

} // namespace tenon::partition
