// SPDX-License-Identifier: Apache-2.0
// Tiles on demand: a stripe asks for the rows it reads.
#include "backend/mortise/plan/TileSteps.h"

#include <algorithm>

namespace tenon::mortise {
namespace {

Box tileAt(const LayerPlan &plan, uint64_t index, const Dims &counts) {
  Dims at{};
  const std::array<size_t, 3> innermostFirst = plan.tiling.channelsOuter
                                                   ? std::array{kColumns, kRows, kChannels}
                                                   : std::array{kChannels, kColumns, kRows};
  for (size_t axis : innermostFirst) {
    at[axis] = uint32_t(index % counts[axis]);
    index /= counts[axis];
  }
  Box box;
  for (size_t axis = 0; axis < 3; ++axis) {
    const uint32_t begin = at[axis] * plan.tiling.tile[axis];
    box[axis] = {begin, std::min(plan.tiling.tile[axis], plan.shape.out[axis] - begin)};
  }
  return box;
}

std::vector<TileStep> tilesOf(const LayerPlan &plan, uint32_t layer) {
  const Dims counts = countsOf(plan.shape, plan.tiling);
  const uint64_t tiles = uint64_t(counts[0]) * counts[1] * counts[2];
  std::vector<TileStep> steps;
  for (uint64_t i = 0; i < tiles; ++i)
    steps.push_back({layer, tileAt(plan, i, counts)});
  return steps;
}

/// Makes rows of a cascade's layers as they are asked for.
class Cascader {
public:
  Cascader(const Plan &plan, const Segment &segment)
      : plan(plan), segment(segment), made(plan.layers.size()) {}

  /// Makes the rows of \p wanted of \p layer's output that are missing, with all before them that
  /// they need.
  void make(uint32_t layer, Range wanted) {
    const LayerPlan &own = plan.layers[layer];
    const Dims &out = own.shape.out;
    Range missing = made[layer].take(wanted);
    while (missing.size) {
      const Range rows{missing.begin, std::min(missing.size, own.tiling.tile[kRows])};
      for (uint32_t other : segment.layers)
        if (const auto &handover = plan.layers[other].handsTo; handover && handover->layer == layer)
          make(other, own.shape.reads[handover->read].axes[kRows].partOf(rows).range);
      steps.push_back({layer, {rows, Range{0, out[kColumns]}, Range{0, out[kChannels]}}});
      missing = {rows.end(), missing.size - rows.size};
    }
  }

  std::vector<TileStep> steps;

private:
  const Plan &plan;
  const Segment &segment;
  std::vector<ArrivedRows> made; ///< by layer
};

} // namespace

Range ArrivedRows::take(Range wanted) {
  const uint32_t begin = std::max(end, wanted.begin);
  end = std::max(end, wanted.end());
  return {begin, end > begin ? end - begin : 0};
}

std::vector<TileStep> stepsOf(const Plan &plan, const Segment &segment) {
  std::vector<TileStep> steps;
  const uint32_t final = segment.layers.back();
  if (segment.layers.size() == 1) {
    steps = tilesOf(plan.layers[final], final);
  } else {
    Cascader cascader(plan, segment);
    cascader.make(final, {0, plan.layers[final].shape.out[kRows]});
    steps = std::move(cascader.steps);
  }
  for (uint32_t layer : segment.layers)
    if (auto last = std::ranges::find(steps.rbegin(), steps.rend(), layer, &TileStep::layer);
        last != steps.rend())
      last->last = true;
  return steps;
}

} // namespace tenon::mortise
