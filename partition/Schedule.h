// SPDX-License-Identifier: Apache-2.0
// Regions by scheduling: a target's turn takes all that is ready for it.
#pragma once
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::partition {

/// Units that stay together: a match, or one unit.
struct Atom {
  unsigned target = 0;                                  ///< who runs it; smaller is preferred
  llvm::SmallVector<unsigned> units;                    ///< ascending
  llvm::SmallVector<unsigned> predecessors, successors; ///< indices of atoms
};

/// Atoms of one target that run one after another.
struct Region {
  unsigned target = 0;
  std::vector<unsigned> atoms; ///< in execution order
};

struct Schedule {
  std::vector<Region> regions; ///< in execution order
  /// Atoms in a circle, or between two, ascending; if any, regions is to be ignored.
  std::vector<unsigned> stuck;
};

/// Cuts \p atoms into few regions. A turn takes the closure of what is ready, so each region is
/// convex, no circle can form and parallel branches join. Every target is tried as the first, the
/// fewest regions win; with two targets that is the minimum. Equal input gives equal output.
Schedule scheduleRegions(llvm::ArrayRef<Atom> atoms, unsigned targetCount);

} // namespace tenon::partition
