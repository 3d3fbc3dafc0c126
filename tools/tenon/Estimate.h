// SPDX-License-Identifier: Apache-2.0
// What a package's device partitions cost by the shared timing model, without running them.
#pragma once
#include "package/Package.h"

namespace tenon::cli {

/// A layer of a partition; times may overlap those of its neighbours.
struct LayerEstimate {
  std::string name;                ///< composite, "mortise.conv2d"
  std::vector<uint32_t> operators; ///< model operator indices
  size_t partition = 0;
  uint64_t firstCycle = 0, cycles = 0; ///< from its first command's start to its last one's end
  uint64_t macs = 0, dramBytes = 0;
};

/// Sums over the device partitions, which run one after the other.
struct Estimate {
  std::string target; ///< "mortise:medium"
  uint64_t cycles = 0;
  double milliseconds = 0;
  uint64_t macs = 0;
  double utilization = 0;           ///< MACs against what the array does in `cycles`
  uint64_t dramBytes = 0;           ///< moved, whole bursts
  uint64_t dramMinimumBytes = 0;    ///< inputs, outputs and constants once
  uint64_t machineBoundCycles = 0;  ///< the busiest engine's, or DRAM's, time for these commands
  uint64_t rooflineCycles = 0;      ///< array at its peak or the minimum of bytes, whatever is more
  size_t hostPartitions = 0;        ///< not in any figure
  std::vector<std::string> untimed; ///< targets of partitions without a timing model: not counted
  std::vector<LayerEstimate> layers;
};

/// Fails if no partition has commands with a timing model, or one's configuration is damaged.
Expected<Estimate> estimatePackage(const package::Package &package);

} // namespace tenon::cli
