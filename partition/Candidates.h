// SPDX-License-Identifier: Apache-2.0
// What each target could take of a graph: matches of its pattern table, and single units.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "backend/api/Backend.h"
#include "partition/UnitGraph.h"

namespace tenon::partition {

/// Backends by preference, the last resort last. Not owned.
using Targets = llvm::ArrayRef<std::unique_ptr<backend::Backend>>;

/// Whole units that one pattern covers.
struct Match {
  std::string pattern;
  mlir::Operation *root = nullptr;
  llvm::SmallVector<unsigned> units; ///< ascending
  mlir::DictionaryAttr parameters;   ///< may be null
};

/// A pattern that fits in shape, and why its target declines all the same.
struct Declined {
  std::string pattern;
  backend::Refusal refusal;
};

/// What one target's table finds. Matches do not overlap and form no circle.
struct TargetMatches {
  std::vector<Match> matches;
  std::vector<int> matchOf;                      ///< by unit; -1: none
  std::vector<std::optional<Declined>> declined; ///< by unit; the first pattern's
};

/// What a table may not use.
struct Restrictions {
  std::vector<bool> available;                       ///< by unit
  std::set<std::pair<unsigned, std::string>> barred; ///< unit and pattern
};

/// Runs \p backend's table over \p graph: pattern by pattern, roots from the graph's end; the first
/// match of a unit wins.
TargetMatches findMatches(const UnitGraph &graph, const backend::Backend &backend,
                          const Restrictions &restrictions);

/// Records \p found, one a target, as kCandidates, and numbers units as kUnit.
void writeCandidates(const UnitGraph &graph, Targets targets, llvm::ArrayRef<TargetMatches> found);

/// Reads kCandidates back. Entries for unknown targets are ignored.
std::vector<TargetMatches> readCandidates(const UnitGraph &graph, Targets targets);

/// By unit: why \p target is excluded from it (kExcluded), if it is.
std::vector<std::optional<backend::Refusal>> readExclusions(const UnitGraph &graph,
                                                            llvm::StringRef target);

} // namespace tenon::partition
