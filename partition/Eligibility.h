// SPDX-License-Identifier: Apache-2.0
// Which target can run which unit, and why not.
#pragma once
#include "partition/Candidates.h"

namespace tenon::partition {

/// Answers for one target, asking its takesAlone once a unit.
class Eligibility {
public:
  Eligibility(const UnitGraph &graph, const backend::Backend &backend);

  /// Why units are barred whole, by unit: exclusions on the input, then those added.
  const std::optional<backend::Refusal> &exclusion(unsigned unit) const { return excluded[unit]; }
  void exclude(unsigned unit, const backend::Refusal &refusal) { excluded[unit] = refusal; }

  /// Can the target run each operator of \p unit as it stands?
  bool takesAlone(unsigned unit) const { return !aloneRefusal(unit); }

  /// Nothing if the target can run \p unit, given the \p matches of its table; else why not.
  std::optional<backend::Refusal> refusal(unsigned unit, const TargetMatches &matches) const;

private:
  const std::optional<backend::Refusal> &aloneRefusal(unsigned unit) const;

  const UnitGraph &graph;
  const backend::Backend &backend;
  std::vector<std::optional<backend::Refusal>> excluded;
  mutable std::vector<std::optional<std::optional<backend::Refusal>>> alone;
};

/// Fails with one line about \p unit, which no target runs; the last target's reason counts.
mlir::LogicalResult reportUnplaced(const UnitGraph &graph, unsigned unit,
                                   const backend::Backend &last, const backend::Refusal &refusal);

/// "operator 12 "conv_3" (CONV_2D)", or the operator's IR name where it stands for none.
std::string describeUnit(const UnitGraph &graph, unsigned unit);

} // namespace tenon::partition
