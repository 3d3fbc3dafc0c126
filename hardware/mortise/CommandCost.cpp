// SPDX-License-Identifier: Apache-2.0
// The closed forms of manual 8, one command at a time.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "hardware/mortise/Timing.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

using timing::Work;

constexpr uint64_t kMacOverheadCycles = 20;
constexpr uint64_t kVecOverheadCycles = 16;
constexpr uint64_t kMicroOpsPerCycle = 4;
constexpr uint64_t kBurstBytes = 64;

/// Figures as 64-bit numbers, by the manual's letters.
struct Letters {
  uint64_t P, K, C, WD, O, V, A, D;
  explicit Letters(const Config &config)
      : P(config.pixelsPerCycle), K(config.outputChannelsPerCycle), C(config.inputChannelsPerCycle),
        WD(config.weightBytesPerCycle), O(config.outputBytesPerCycle), V(config.vectorLanes),
        A(config.accumulatorGroups), D(config.depthwiseTapsPerCycle) {}
};

/// What one block of b pixel groups costs for one group of K output channels.
struct BlockCost {
  uint64_t cycles, sramBytes;
};

BlockCost convBlock(const Letters &m, const MacShape &shape, uint64_t b) {
  const uint64_t steps =
      shape.fold
          ? uint64_t(shape.kernelH) * ceilDiv<uint64_t>(uint64_t(shape.kernelW) * shape.inC, m.C)
          : uint64_t(shape.kernelH) * shape.kernelW * ceilDiv<uint64_t>(shape.inC, m.C);
  const uint64_t results = b * m.P * m.K;
  const uint64_t store = ceilDiv(results * shape.outputBytes, m.O);
  const uint64_t contract = steps * std::max(b, ceilDiv(m.K * m.C, m.WD));
  return {std::max(contract, store),
          steps * (b * m.P * m.C + m.K * m.C) + results * (shape.outputBytes + shape.operandBytes)};
}

BlockCost depthwiseBlock(const Letters &m, const MacShape &shape, uint64_t b) {
  const uint64_t taps = uint64_t(shape.kernelH) * shape.kernelW;
  const uint64_t results = b * m.P * m.K;
  const uint64_t cycles = std::max({ceilDiv(taps, m.D) * b, ceilDiv(m.K * taps, m.WD),
                                    ceilDiv(results * shape.outputBytes, m.O)});
  // A window's row is read once for all its columns.
  const uint64_t columns =
      (m.P - 1) * shape.strideW + uint64_t(shape.kernelW - 1) * shape.dilationW + 1;
  return {cycles, b * shape.kernelH * columns * m.K + taps * m.K +
                      results * (shape.outputBytes + shape.operandBytes)};
}

/// Bursts of `count` runs of `bytes` whose offsets modulo a burst step by `stride`.
uint64_t burstsOfRuns(uint64_t residue, uint64_t bytes, uint64_t count, uint64_t stride) {
  const uint64_t period = kBurstBytes / std::gcd(stride, kBurstBytes);
  uint64_t bursts = 0;
  for (uint64_t i = 0; i < std::min(period, count); ++i) {
    const uint64_t repeats = (count - i + period - 1) / period;
    bursts += repeats * ceilDiv((residue + i * stride) % kBurstBytes + bytes, kBurstBytes);
  }
  return bursts;
}

/// Merges items that follow each other in DRAM into longer runs.
DmaShape mergedRuns(DmaShape shape) {
  if (shape.n1 == 1 || shape.stride1 == shape.n0) {
    shape.n0 *= shape.n1;
    shape.n1 = shape.n2, shape.stride1 = shape.stride2;
    shape.n2 = 1, shape.stride2 = 0;
    if (shape.n1 == 1 || shape.stride1 == shape.n0) {
      shape.n0 *= shape.n1;
      shape.n1 = 1;
    }
  }
  return shape;
}

} // namespace

Work workOf(const Config &config, const MacShape &shape) {
  const Letters m(config);
  const bool perRow = shape.mode == MacMode::MATMUL;
  const uint64_t groups =
      perRow ? uint64_t(shape.outH) * shape.outW : shape.outH * ceilDiv<uint64_t>(shape.outW, m.P);
  const uint64_t blocks = ceilDiv(groups, m.A);
  const uint64_t channelGroups = ceilDiv<uint64_t>(shape.outC, m.K);
  const bool depthwise = shape.mode == MacMode::DEPTHWISE;
  Work work;
  const auto add = [&](uint64_t count, uint64_t b) {
    if (!count)
      return;
    const BlockCost cost = depthwise ? depthwiseBlock(m, shape, b) : convBlock(m, shape, b);
    work.cycles += count * channelGroups * cost.cycles;
    work.sramBytes += count * channelGroups * cost.sramBytes;
  };
  if (blocks) {
    add(groups % blocks, groups / blocks + 1);
    add(blocks - groups % blocks, groups / blocks);
  }
  work.cycles += kMacOverheadCycles;
  work.macs = uint64_t(shape.outH) * shape.outW * shape.outC * shape.kernelH * shape.kernelW *
              (depthwise ? 1 : shape.inC);
  return work;
}

Work workOf(const Config &config, const VecShape &shape) {
  Work work;
  work.cycles = kVecOverheadCycles +
                ceilDiv<uint64_t>(shape.elements * shape.elementBytes, config.vectorLanes) *
                    ceilDiv<uint64_t>(std::max(shape.microOps, 1u), kMicroOpsPerCycle) * shape.taps;
  work.sramBytes = shape.sramBytes;
  return work;
}

Work workOf(const Config &config, const DmaShape &given) {
  const DmaShape shape = mergedRuns(given);
  Work work;
  const uint64_t period = kBurstBytes / std::gcd(shape.stride2, kBurstBytes);
  for (uint64_t i = 0; i < std::min(period, shape.n2); ++i) {
    const uint64_t repeats = (shape.n2 - i + period - 1) / period;
    const uint64_t residue = (shape.offset + i * shape.stride2) % kBurstBytes;
    work.dramBytes += repeats * burstsOfRuns(residue, shape.n0, shape.n1, shape.stride1);
  }
  work.dramBytes *= kBurstBytes;
  (shape.write ? work.dramWritten : work.dramRead) = shape.n0 * shape.n1 * shape.n2;
  work.latency = config.dramLatencyCycles;
  return work;
}

uint64_t cyclesAlone(const Config &config, const Work &work) {
  const double slots = 16.0 * config.sramBanks * 0.75;
  const double demand = work.cycles ? double(work.sramBytes) / double(work.cycles) : 0;
  const double engine = double(work.cycles) * std::max(1.0, demand / slots);
  return uint64_t(std::ceil(engine + double(work.latency) +
                            double(work.dramBytes) / config.dramBytesPerCycle() - 1e-6));
}

} // namespace tenon::mortise
