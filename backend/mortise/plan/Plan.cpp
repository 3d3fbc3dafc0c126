// SPDX-License-Identifier: Apache-2.0
// Plans layer by layer; today each is a segment of its own.
#include "backend/mortise/plan/Plan.h"

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

/// What no tiling can help.
std::optional<PlanFailure> refusalOf(const LayerShape &shape, uint32_t layer) {
  for (const TensorUse &use : shape.reads)
    for (size_t axis : {kRows, kColumns})
      if (const uint64_t pad = paddingOf(use.axes[axis], shape.out[axis]); pad > kMaxPadding)
        return PlanFailure{layer, fmt::format("its padding of {} exceeds {}", pad, kMaxPadding),
                           pad, kMaxPadding};
  return std::nullopt;
}

tl::expected<LayerPlan, PlanFailure> planLayer(const LayerGraph &graph, const Config &config,
                                               uint32_t index) {
  const Layer &layer = graph.layers[index];
  LayerPlan plan{shapeOf(graph, layer), {}, {}};
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

} // namespace

tl::expected<Plan, PlanFailure> makePlan(const LayerGraph &graph, const Config &config) {
  Plan plan;
  for (uint32_t index = 0; index < graph.layers.size(); ++index) {
    auto layer = planLayer(graph, config, index);
    if (!layer)
      return tl::unexpected(layer.error());
    plan.layers.push_back(std::move(*layer));
    plan.segments.push_back({{index}});
  }
  return plan;
}

} // namespace tenon::mortise
