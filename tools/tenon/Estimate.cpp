// SPDX-License-Identifier: Apache-2.0
// Times each stream on the event engine and sums up.
#include "tools/tenon/Estimate.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hardware/mortise/Timing.h"

namespace tenon::cli {
namespace {

using mortise::Config;
using package::CodeKind;
using package::Package;
using package::Partition;

uint64_t dramCycles(const Config &config, uint64_t bytes) {
  return uint64_t(std::ceil(double(bytes) / config.dramBytesPerCycle()));
}

/// Bytes that no schedule avoids: each input, output and constant crosses DRAM once.
uint64_t minimumBytes(const Package &package, const Partition &partition) {
  uint64_t bytes = partition.constants.size();
  for (const auto *list : {&partition.inputs, &partition.outputs})
    for (uint32_t index : *list)
      bytes += package::sizeOf(package.tensors[index]).value_or(0);
  return bytes;
}

uint64_t peakMacsPerCycle(const Config &config) {
  return uint64_t(config.pixelsPerCycle) * config.outputChannelsPerCycle *
         config.inputChannelsPerCycle;
}

/// Each engine's work if it had the machine to itself and never waited.
uint64_t machineBound(const Config &config, const mortise::TimedStream &stream,
                      uint64_t dramBytes) {
  std::array<uint64_t, timing::kMaxEngines> busy{};
  for (const timing::TimedCommand &command : stream.commands)
    if (command.engine < timing::kMaxEngines)
      busy[command.engine] += command.work.cycles;
  return std::max(*std::max_element(busy.begin(), busy.end()), dramCycles(config, dramBytes));
}

LayerEstimate layerOf(const Partition &partition, size_t index, uint16_t tag,
                      const timing::LayerTime &time) {
  LayerEstimate layer;
  layer.partition = index;
  layer.firstCycle = time.first;
  layer.cycles = time.last - time.first;
  layer.macs = time.macs;
  layer.dramBytes = time.dramBytes;
  for (const package::CostEntry &cost : partition.costs)
    if (cost.layerTag == tag) {
      layer.name = cost.name;
      layer.operators = cost.operators;
    }
  return layer;
}

void addLayers(Estimate &estimate, const Partition &partition, size_t index,
               const mortise::TimedStream &stream, const timing::Timeline &timeline) {
  for (size_t i = 0; i < stream.layerTags.size() && i < timeline.layers.size(); ++i)
    if (timeline.layers[i].last > 0) // else only the command processor's own commands: END
      estimate.layers.push_back(layerOf(partition, index, stream.layerTags[i], timeline.layers[i]));
}

Expected<void> addPartition(Estimate &estimate, const Package &package, size_t index) {
  const Partition &partition = package.partitions[index];
  auto config = mortise::parseConfig(partition.deviceConfig);
  if (!config)
    return fail(config.error(), fmt::format("partition {}: configuration", index));
  auto timed = mortise::readStream(partition.commands).and_then([&](const auto &stream) {
    return mortise::timedStream(stream, *config);
  });
  if (!timed)
    return fail("partition {}: {}", index, timed.error().message);
  const timing::Timeline timeline = timing::simulate(mortise::machineOf(*config), timed->commands);
  const uint64_t minimum = minimumBytes(package, partition);
  estimate.target = partition.target + ":" + config->name;
  estimate.cycles += timeline.cycles;
  estimate.milliseconds += config->millisecondsOf(timeline.cycles);
  estimate.macs += timeline.macs;
  estimate.utilization += double(timeline.macs) / double(peakMacsPerCycle(*config));
  estimate.dramBytes += timeline.dramBytes;
  estimate.dramMinimumBytes += minimum;
  estimate.machineBoundCycles += machineBound(*config, *timed, timeline.dramBytes);
  estimate.rooflineCycles +=
      std::max((timeline.macs + peakMacsPerCycle(*config) - 1) / peakMacsPerCycle(*config),
               dramCycles(*config, minimum));
  addLayers(estimate, partition, index, *timed, timeline);
  return {};
}

/// The container's own magic tells whether there is a timing model for these commands.
bool hasTimingModel(const Partition &partition) {
  uint32_t magic = 0;
  if (partition.commands.size() >= sizeof(magic))
    std::memcpy(&magic, partition.commands.data(), sizeof(magic));
  return magic == mortise::kMagic;
}

} // namespace

Expected<Estimate> estimatePackage(const Package &package) {
  Estimate estimate;
  for (size_t i = 0; i < package.partitions.size(); ++i) {
    if (package.partitions[i].kind == CodeKind::Host) {
      ++estimate.hostPartitions;
      continue;
    }
    if (!hasTimingModel(package.partitions[i])) {
      estimate.untimed.push_back(package.partitions[i].target);
      continue;
    }
    if (auto added = addPartition(estimate, package, i); !added)
      return tl::unexpected(added.error());
  }
  if (estimate.target.empty() && !estimate.untimed.empty())
    return fail("there is no timing model for the commands of {}; tenon run tells the cycles that "
                "its device counts",
                estimate.untimed.front());
  if (estimate.target.empty())
    return fail("nothing runs on a device, and only devices have a timing model; name one in "
                "--target, or see why with tenon explain");
  estimate.utilization /= double(std::max<uint64_t>(estimate.cycles, 1));
  return estimate;
}

} // namespace tenon::cli
