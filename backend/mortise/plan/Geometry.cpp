// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/plan/Geometry.h"

#include <algorithm>

#include "support/Checked.h"

namespace tenon::mortise {

Dims sizeOf(const Box &box) { return {box[0].size, box[1].size, box[2].size}; }

AxisPart AxisMap::partOf(Range out) const {
  if (kind == Kind::Whole)
    return {{0, extent}};
  if (kind == Kind::Divided) {
    const uint32_t begin = out.begin / divisor;
    return {{begin, ceilDiv(out.end(), divisor) - begin}};
  }
  const int64_t begin = int64_t(out.begin) * stride - pad;
  const int64_t end = int64_t(out.end() - 1) * stride - pad + span;
  if (begin >= extent || end <= 0)
    return {{begin < 0 ? 0 : extent - 1, 1}, uint32_t(end - begin), 0};
  const int64_t first = std::max<int64_t>(begin, 0), last = std::min<int64_t>(end, extent);
  return {{uint32_t(first), uint32_t(last - first)}, uint32_t(first - begin), uint32_t(end - last)};
}

uint32_t AxisMap::largestPart(uint32_t tile) const {
  if (kind == Kind::Whole)
    return extent;
  if (kind == Kind::Divided)
    return std::min(extent, ceilDiv(tile, divisor));
  return uint32_t(std::min<uint64_t>(extent, uint64_t(tile - 1) * stride + span));
}

} // namespace tenon::mortise
