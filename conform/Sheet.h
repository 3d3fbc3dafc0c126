// SPDX-License-Identifier: Apache-2.0
// Outcomes counted by composite.
#pragma once
#include "conform/Judge.h"

namespace tenon::conform {

/// One line of the score sheet.
struct Score {
  std::string composite, operation;
  size_t cases = 0;
  size_t taken = 0, right = 0,
         wrong = 0;               ///< wrong: failures and what is taken in spite of a limit too
  size_t documented = 0;          ///< refusals as claimed
  size_t undocumented = 0;        ///< refusals within claims or for another rule
  size_t untried = 0;             ///< edges, and cases refused for a limit not tried
  double compileMilliseconds = 0; ///< mean a case
  bool passed() const { return wrong + undocumented == 0; }
};

/// In the claims' order.
std::vector<Score> scoresOf(const Result &result);

} // namespace tenon::conform
