// SPDX-License-Identifier: Apache-2.0
// Plans segment by segment.
#include "backend/mortise/plan/Plan.h"

#include <algorithm>
#include <numeric>

namespace tenon::mortise {
namespace {

constexpr uint32_t kMaxPadding = 255; ///< a command's field

/// The widest padding that windows of \p map reach with \p outputs.
uint64_t paddingOf(const AxisMap &map, uint32_t outputs) {
  if (map.kind != AxisMap::Kind::Window)
    return 0;
  const int64_t after = int64_t(outputs - 1) * map.stride - map.pad + map.span - map.extent;
  return uint64_t(std::max<int64_t>({map.pad, after, 0}));
}

tl::expected<LayerPlan, PlanFailure> planLayer(const LayerGraph &graph, const Config &config,
                                               uint32_t index) {
  const Layer &layer = graph.layers[index];
  LayerPlan plan{shapeOf(graph, layer), {}, {}, {}};
  if (auto refusal = refusalOf(plan.shape, index))
    return tl::unexpected(*refusal);
  auto tiling = findTiling(config, layer, plan.shape);
  if (!tiling)
    return tl::unexpected(
        PlanFailure{index,
                    fmt::format("its smallest tile needs {} bytes of SRAM, {} are there",
                                tiling.error(), config.sramBytes),
                    tiling.error(), config.sramBytes});
  plan.tiling = *tiling;
  plan.buffers = buffersOf(plan.shape, plan.tiling);
  return plan;
}

/// Layers \p cascades as segments, each other layer as one of its own.
tl::expected<std::vector<Segment>, PlanFailure> segmentsOf(uint32_t layers,
                                                           std::span<const Cascade> cascades) {
  std::vector<uint32_t> lastOf(layers); ///< by first layer
  std::iota(lastOf.begin(), lastOf.end(), 0);
  for (const Cascade &cascade : cascades) {
    if (cascade.first >= cascade.last || cascade.last >= layers)
      return tl::unexpected(PlanFailure{
          std::min(cascade.first, layers - 1),
          fmt::format("a cascade of layers {} to {} has no two layers in order; there are {}",
                      cascade.first, cascade.last, layers)});
    lastOf[cascade.first] = std::max(lastOf[cascade.first], cascade.last);
  }
  std::vector<Segment> segments;
  uint32_t taken = 0; // cascades begun so far
  for (uint32_t first = 0; first < layers; first += uint32_t(segments.back().layers.size())) {
    segments.push_back({std::vector<uint32_t>(lastOf[first] - first + 1)});
    std::iota(segments.back().layers.begin(), segments.back().layers.end(), first);
    taken += lastOf[first] > first;
  }
  if (taken == cascades.size())
    return segments;
  return tl::unexpected(PlanFailure{cascades.front().first,
                                    "two cascades hold the same layer; leave one of them out"});
}

} // namespace

std::optional<PlanFailure> refusalOf(const LayerShape &shape, uint32_t layer) {
  for (const TensorUse &use : shape.reads)
    for (size_t axis : {kRows, kColumns})
      if (const uint64_t pad = paddingOf(use.axes[axis], shape.out[axis]); pad > kMaxPadding)
        return PlanFailure{layer, fmt::format("its padding of {} exceeds {}", pad, kMaxPadding),
                           pad, kMaxPadding};
  return std::nullopt;
}

tl::expected<Plan, PlanFailure> makePlan(const LayerGraph &graph, const Config &config,
                                         std::span<const Cascade> cascades) {
  auto segments = segmentsOf(uint32_t(graph.layers.size()), cascades);
  if (!segments)
    return tl::unexpected(segments.error());
  Plan plan{std::vector<LayerPlan>(graph.layers.size()), std::move(*segments)};
  for (const Segment &segment : plan.segments) {
    if (segment.layers.size() > 1) {
      if (auto ok = planCascade(graph, config, segment, plan); !ok)
        return tl::unexpected(ok.error());
      continue;
    }
    const uint32_t index = segment.layers[0];
    auto layer = planLayer(graph, config, index);
    if (!layer)
      return tl::unexpected(layer.error());
    plan.layers[index] = std::move(*layer);
  }
  if (auto ok = verifyPlan(plan); !ok)
    return tl::unexpected(PlanFailure{0, ok.error().message});
  return plan;
}

} // namespace tenon::mortise
