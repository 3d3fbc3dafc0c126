// SPDX-License-Identifier: Apache-2.0
// Tile extents worth trying.
#pragma once
#include <cstdint>
#include <vector>

namespace tenon::planning {

/// Extents to cut \p whole (at least 1) into about 1, 2, 3, 4, 6, 8, 12, 16, ... equal parts, each
/// a multiple of \p step or the whole, none above \p limit; largest first, no two equal.
std::vector<uint32_t> tileExtents(uint32_t whole, uint32_t step, uint32_t limit);

} // namespace tenon::planning
