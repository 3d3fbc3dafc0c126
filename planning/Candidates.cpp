// SPDX-License-Identifier: Apache-2.0
// Tile extents in steps of about a third, so that a search over three dimensions stays small.
#include "planning/Candidates.h"

#include <algorithm>

#include "support/Checked.h"

namespace tenon::planning {

std::vector<uint32_t> tileExtents(uint32_t whole, uint32_t step, uint32_t limit) {
  std::vector<uint32_t> extents;
  const auto add = [&](uint64_t parts) {
    const uint64_t part = ceilDiv<uint64_t>(whole, parts);
    const auto extent = uint32_t(std::min<uint64_t>(alignUp<uint64_t>(part, step), whole));
    if (extent <= limit && (extents.empty() || extents.back() != extent))
      extents.push_back(extent);
  };
  add(1);
  for (uint64_t parts = 2; parts / 2 < whole; parts *= 2) {
    add(parts);
    add(parts + parts / 2);
  }
  return extents;
}

} // namespace tenon::planning
