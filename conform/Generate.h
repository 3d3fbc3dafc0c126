// SPDX-License-Identifier: Apache-2.0
// From claims to cases: ordinary ones within all limits, and both sides of every edge.
#pragma once
#include <set>

#include "conform/Case.h"

namespace tenon::conform {

/// A case and what a backend that keeps its word does with it.
struct Trial {
  Case that;
  std::string composite;       ///< whose claims it was made from
  std::string purpose;         ///< "ordinary", "stride 4, at the limit", "stride 5, outside"
  bool taken = true;           ///< by a composite of the operation
  std::set<std::string> rules; ///< if not taken, those it breaks
};

/// An edge that no case could be made for, and why.
struct Untried {
  std::string composite, edge, reason;
};

struct Plan {
  std::vector<Trial> trials;
  std::vector<Untried> untried;
  std::set<std::string> unknownRules; ///< of limits on parameters that conform does not know
};

/// \p ordinary cases a composite and those of its edges; the same for the same claims and seed.
Plan planTrials(const std::vector<backend::Claim> &claims, int ordinary, uint64_t seed);

} // namespace tenon::conform
