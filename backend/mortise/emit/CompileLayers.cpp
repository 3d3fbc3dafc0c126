// SPDX-License-Identifier: Apache-2.0
// Plan, place, emit; then what the finished stream costs.
#include "backend/mortise/emit/CompileLayers.h"

#include "backend/mortise/emit/EmitSegment.h"

namespace tenon::mortise {
namespace {

constexpr size_t kMaxLayers = UINT16_MAX; ///< a command's tag

LayerFailure failureOf(const LayerGraph &graph, uint32_t layer, std::string message,
                       uint64_t value = 0, uint64_t limit = 0) {
  LayerFailure failure{layer, {}, std::move(message), value, limit};
  if (layer < graph.layers.size())
    failure.operators.assign(graph.layers[layer].operators.begin(),
                             graph.layers[layer].operators.end());
  return failure;
}

package::CostEntry costOf(const Layer &layer, uint32_t tag) {
  return {layer.composite, tag, layer.operators, 0, layer.macs, 0};
}

/// A layer takes the time from the end of those before it until its own.
Expected<void> addCosts(EmittedPartition &partition, const Config &config) {
  auto stream = readStream(partition.commands);
  if (!stream)
    return fail("stream: {}", stream.error().message);
  auto timed = timedStream(*stream, config);
  if (!timed)
    return fail("stream: {}", timed.error().message);
  const timing::Timeline timeline = timing::simulate(machineOf(config), timed->commands);
  uint64_t reached = 0;
  for (size_t i = 0; i < timed->layerTags.size(); ++i) {
    if (!timed->layerTags[i])
      continue;
    package::CostEntry &cost = partition.costs.at(timed->layerTags[i] - 1);
    const timing::LayerTime &layer = timeline.layers[i];
    cost.cycles = layer.last > reached ? layer.last - reached : 0;
    cost.dramBytes = layer.dramBytes;
    reached = std::max(reached, layer.last);
  }
  return {};
}

EmittedPartition emit(const LayerGraph &graph, const Plan &plan, const Placement &placement,
                      const Config &config) {
  Emission emission{graph, plan, placement, {}, {}, {}};
  EmittedPartition partition;
  for (uint32_t i = 0; i < graph.layers.size(); ++i)
    partition.costs.push_back(costOf(graph.layers[i], i + 1));
  for (uint32_t i = 0; i < plan.segments.size(); ++i)
    emitSegment(emission, i);
  emission.commands.stream.add(Opcode::END, Engine::CP, End{}, 0);
  partition.commands = emission.commands.stream.finish(config);
  partition.constants = std::move(emission.constants);
  partition.debug = std::move(emission.debug);
  partition.scratchBytes = placement.scratchBytes;
  return partition;
}

} // namespace

tl::expected<EmittedPartition, LayerFailure>
compileLayers(const LayerGraph &graph, const Config &config, const CompileOptions &options) {
  if (graph.layers.size() > kMaxLayers)
    return tl::unexpected(failureOf(
        graph, kMaxLayers, fmt::format("{} layers exceed {}", graph.layers.size(), kMaxLayers),
        graph.layers.size(), kMaxLayers));
  auto plan = makePlan(graph, config, options.cascades);
  if (!plan) {
    const PlanFailure &cause = plan.error();
    return tl::unexpected(failureOf(graph, cause.layer, cause.reason, cause.value, cause.limit));
  }
  auto placement = place(graph, *plan, config);
  if (!placement)
    return tl::unexpected(failureOf(graph, 0, placement.error().message));
  EmittedPartition partition = emit(graph, *plan, *placement, config);
  if (auto ok = addCosts(partition, config); !ok)
    return tl::unexpected(failureOf(graph, 0, ok.error().message));
  return partition;
}

} // namespace tenon::mortise
