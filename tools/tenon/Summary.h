// SPDX-License-Identifier: Apache-2.0
// What a partitioning leaves on the host, and which rules of which targets keep it there.
#pragma once
#include <string>
#include <vector>

#include "partition/Report.h"

namespace tenon::cli {

/// The target that runs what nobody else takes.
inline constexpr const char *kHost = "host";

/// A rule and the operators on the host for which it is the first in \p target's way. Without it
/// they would run there, unless they break another rule after it.
struct RuleCost {
  std::string target, rule;
  std::vector<std::string> limits; ///< what it takes; several if it depends on the operator
  std::vector<std::string> remedies;
  std::vector<int64_t> operators; ///< ascending
  uint64_t macs = 0;
  double share = 0; ///< of the network's MACs, 0 to 1
};

struct Summary {
  size_t operators = 0, hostOperators = 0;
  uint64_t macs = 0, hostMacs = 0;
  std::vector<RuleCost> rules; ///< by MACs, then by operators, then by name
};

Summary summarize(const partition::Report &report);

/// "lifting mortise.stride <= 4 would move 31 % of MACs (2 operators) to mortise"
std::string sentenceOf(const RuleCost &rule);

/// "31 %", "0.4 %", "under 0.1 %".
std::string percent(double share);

/// "1 operator", "3 operators".
std::string countOf(size_t count, const std::string &what);

} // namespace tenon::cli
