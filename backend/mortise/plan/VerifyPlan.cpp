// SPDX-License-Identifier: Apache-2.0
// Walks a segment's steps and keeps which row each line of its rings holds.
#include <algorithm>

#include "backend/mortise/plan/TileSteps.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

/// The rows that a ring's lines hold.
class Lines {
public:
  explicit Lines(uint32_t ringRows) : held(ringRows, -1) {}

  void write(Range rows) {
    for (uint32_t row = rows.begin; row < rows.end(); ++row)
      held[row % held.size()] = row;
  }
  /// The first row of \p rows that is not there.
  std::optional<uint32_t> missing(Range rows) const {
    for (uint32_t row = rows.begin; row < rows.end(); ++row)
      if (held[row % held.size()] != row)
        return row;
    return std::nullopt;
  }

private:
  std::vector<int64_t> held; ///< -1: none yet
};

class Walker {
public:
  explicit Walker(const Plan &plan) : plan(plan), rings(plan.layers.size()) {}

  Expected<void> run(const Segment &segment) {
    for (uint32_t layer : segment.layers)
      if (auto ok = begin(layer); !ok)
        return ok;
    for (const TileStep &step : stepsOf(plan, segment))
      if (auto ok = take(step); !ok)
        return ok;
    return {};
  }

private:
  struct Ring {
    Lines lines;
    ArrivedRows arrived; ///< by loads
  };
  const Plan &plan;
  std::vector<std::vector<std::optional<Ring>>> rings; ///< by layer and read

  Expected<void> begin(uint32_t layer) {
    const LayerPlan &own = plan.layers[layer];
    for (uint32_t i = 0; i < own.shape.reads.size(); ++i) {
      const Buffer &buffer = own.buffers[i];
      const Dims whole = own.shape.reads[i].extents();
      const Dims lines{buffer.ringRows, whole[kColumns], whole[kChannels]};
      if (buffer.ringRows && buffer.bytes < sramBytesOf(own.shape.reads[i], lines))
        return fail("layer {}: {} bytes do not hold {} rows of its operand {}", layer, buffer.bytes,
                    buffer.ringRows, i);
      rings[layer].push_back(buffer.ringRows
                                 ? std::optional(Ring{Lines(buffer.ringRows), ArrivedRows()})
                                 : std::nullopt);
    }
    return {};
  }

  Expected<void> take(const TileStep &step) {
    const LayerPlan &own = plan.layers[step.layer];
    for (uint32_t i = 0; i < own.shape.reads.size(); ++i) {
      auto &ring = rings[step.layer][i];
      const Range rows = own.shape.reads[i].axes[kRows].partOf(step.out[kRows]).range;
      if (!ring)
        continue;
      if (!own.buffers[i].handed)
        ring->lines.write(ring->arrived.take(rows));
      if (auto missing = ring->lines.missing(rows))
        return fail("layer {}: row {} of its operand {} is not in a ring of {} rows", step.layer,
                    *missing, i, own.buffers[i].ringRows);
    }
    if (own.handsTo)
      rings[own.handsTo->layer][own.handsTo->read]->lines.write(step.out[kRows]);
    return {};
  }
};

/// Does each output that is handed over find its ring?
bool matches(const Plan &plan, const Segment &segment, uint32_t layer) {
  const LayerPlan &own = plan.layers[layer];
  if (!own.handsTo)
    return layer == segment.layers.back();
  const auto [to, read] = *own.handsTo;
  return std::ranges::count(segment.layers, to) == 1 && to > layer &&
         read < plan.layers[to].shape.reads.size() && plan.layers[to].buffers[read].handed &&
         plan.layers[to].buffers[read].ringRows &&
         plan.layers[to].shape.reads[read].tensor == own.shape.output.tensor;
}

} // namespace

Expected<void> verifyPlan(const Plan &plan) {
  uint32_t next = 0;
  for (const Segment &segment : plan.segments) {
    for (uint32_t layer : segment.layers)
      if (layer != next++ || layer >= plan.layers.size())
        return fail("plan: layer {} stands where layer {} should", layer, next - 1);
    for (uint32_t layer : segment.layers)
      if (!matches(plan, segment, layer))
        return fail("plan: layer {} hands its output to no ring", layer);
    if (segment.layers.size() > 1)
      if (auto ok = Walker(plan).run(segment); !ok)
        return fail(ok.error(), "plan");
  }
  if (next != plan.layers.size())
    return fail("plan: {} layers in segments, {} in the graph", next, plan.layers.size());
  return {};
}

} // namespace tenon::mortise
