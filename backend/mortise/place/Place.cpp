// SPDX-License-Identifier: Apache-2.0
// Tensors by lifetime, in segments, since a segment's layers take turns; buffers segment by
// segment, from the bottom and the top of SRAM in turn, so that a segment's first loads need not
// wait for the one before where both are small.
#include "backend/mortise/place/Place.h"

#include "hardware/mortise/EdgeLayout.h"
#include "planning/Allocation.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

class TensorPlacer {
public:
  TensorPlacer(const LayerGraph &graph, Placement &placement)
      : graph(graph), placement(placement) {}

  Expected<void> run(const Plan &plan) {
    placement.tensors.resize(graph.tensors.size());
    placement.lastSegment.assign(graph.tensors.size(), 0);
    first.assign(graph.tensors.size(), UINT32_MAX);
    for (uint32_t i = 0; i < graph.tensors.size(); ++i)
      placement.tensors[i].owner = graph.tensors[i].aliasOf.value_or(i);
    for (uint32_t segment = 0; segment < plan.segments.size(); ++segment)
      for (uint32_t layer : plan.segments[segment].layers)
        touchTensors(plan.layers[layer], segment);
    if (auto ok = placeOwners(); !ok)
      return ok;
    for (TensorPlace &place : placement.tensors)
      place = placement.tensors[place.owner];
    return {};
  }

private:
  const LayerGraph &graph;
  Placement &placement;
  std::vector<uint32_t> first;

  /// What stays in rings needs no DRAM.
  void touchTensors(const LayerPlan &layer, uint32_t segment) {
    for (uint32_t i = 0; i < layer.shape.reads.size(); ++i)
      if (!layer.buffers[i].handed)
        touch(layer.shape.reads[i].tensor, segment);
    if (!layer.handsTo)
      touch(layer.shape.output.tensor, segment);
  }

  void touch(uint32_t tensor, uint32_t segment) {
    const uint32_t owner = placement.tensors[tensor].owner;
    first[owner] = std::min(first[owner], segment);
    placement.lastSegment[owner] = std::max(placement.lastSegment[owner], segment);
  }

  Expected<void> placeOwners() {
    const EdgeLayout inputs(graph.inputBytes), outputs(graph.outputBytes);
    planning::AllocationProblem problem;
    std::vector<uint32_t> scratch;
    for (uint32_t i = 0; i < graph.tensors.size(); ++i) {
      const LayerTensor &tensor = graph.tensors[i];
      TensorPlace &place = placement.tensors[i];
      if (place.owner != i)
        continue;
      if (tensor.home == Home::Input)
        place.region = kInputsRegion, place.offset = inputs.offsets.at(tensor.edge);
      else if (tensor.home == Home::Output)
        place.region = kOutputsRegion, place.offset = outputs.offsets.at(tensor.edge);
      else if (first[i] != UINT32_MAX) {
        problem.blocks.push_back({tensor.sizeBytes(), first[i], placement.lastSegment[i]});
        scratch.push_back(i);
      }
    }
    return placeScratch(problem, scratch);
  }

  Expected<void> placeScratch(const planning::AllocationProblem &problem,
                              const std::vector<uint32_t> &scratch) {
    const planning::Allocation allocation = planning::allocateFirstFit(problem);
    if (auto ok = planning::verify(problem, allocation); !ok)
      return fail(ok.error(), "scratch memory");
    for (size_t i = 0; i < scratch.size(); ++i)
      placement.tensors[scratch[i]].offset = allocation.offsets[i];
    placement.scratchBytes = allocation.sizeBytes;
    return {};
  }
};

using Addresses = std::vector<std::vector<uint32_t>>;

/// Buffers of all the segment's layers, live together.
Expected<void> placeSegment(const Plan &plan, const Segment &segment, const Config &config,
                            bool fromTop, Placement &placement) {
  planning::AllocationProblem problem{{}, kBufferAlignment};
  for (uint32_t layer : segment.layers)
    for (const Buffer &buffer : plan.layers[layer].buffers)
      for (uint32_t copy = 0; copy < buffer.copies; ++copy)
        problem.blocks.push_back({alignUp(buffer.bytes, kBufferAlignment), 0, 0});
  const planning::Allocation allocation = planning::allocateFirstFit(problem);
  if (auto ok = planning::verify(problem, allocation); !ok)
    return fail(ok.error(), "SRAM");
  const uint64_t limit = config.sramBytes / kBufferAlignment * kBufferAlignment;
  if (allocation.sizeBytes > limit)
    return fail("SRAM: {} bytes exceed {}", allocation.sizeBytes, limit);
  size_t next = 0;
  for (uint32_t layer : segment.layers)
    for (const Buffer &buffer : plan.layers[layer].buffers) {
      auto &copies = placement.buffers[layer].emplace_back();
      for (uint32_t copy = 0; copy < buffer.copies; ++copy, ++next) {
        const uint64_t offset = allocation.offsets[next];
        copies.push_back(uint32_t(fromTop ? limit - offset - problem.blocks[next].bytes : offset));
      }
    }
  return {};
}

} // namespace

Expected<Placement> place(const LayerGraph &graph, const Plan &plan, const Config &config) {
  Placement placement;
  if (auto ok = TensorPlacer(graph, placement).run(plan); !ok)
    return tl::unexpected(ok.error());
  placement.buffers.resize(plan.layers.size());
  bool fromTop = false;
  for (const Segment &segment : plan.segments) {
    if (auto ok = placeSegment(plan, segment, config, fromTop, placement); !ok)
      return tl::unexpected(ok.error());
    fromTop = !fromTop;
  }
  return placement;
}

} // namespace tenon::mortise
