// SPDX-License-Identifier: Apache-2.0
// What a Mortise command costs (manual 8): the closed forms that the planner searches with, and the
// whole stream on the event engine, which estimator and simulator report. Pure; any thread.
#pragma once
#include "hardware/mortise/Config.h"
#include "hardware/mortise/Stream.h"
#include "hardware/timing/Timeline.h"

namespace tenon::mortise {

/// A MAC.RUN as the closed form sees it.
struct MacShape {
  MacMode mode = MacMode::CONV;
  bool fold = false;
  uint32_t outH = 1, outW = 1, outC = 1; ///< the tile
  uint32_t kernelH = 1, kernelW = 1;
  uint32_t strideW = 1, dilationW = 1;
  uint32_t inC = 1;          ///< channels contracted (CONV, MATMUL)
  uint32_t outputBytes = 1;  ///< of an output element
  uint32_t operandBytes = 0; ///< of an element-wise operand's element; 0 without one
};

/// A VEC.RUN as the closed form sees it.
struct VecShape {
  uint64_t elements = 0;     ///< written, or for REDUCE read
  uint32_t elementBytes = 1; ///< of the widest operand or result
  uint32_t microOps = 1;
  uint32_t taps = 1;      ///< POOL: window rows * columns
  uint64_t sramBytes = 0; ///< read and written
};

/// A transfer's DRAM side: n2 rows of n1 items of n0 bytes.
struct DmaShape {
  uint64_t offset = 0;
  uint64_t n0 = 0, n1 = 1, n2 = 1;
  uint64_t stride1 = 0, stride2 = 0;
  bool write = false;
};

timing::Work workOf(const Config &config, const MacShape &shape);
timing::Work workOf(const Config &config, const VecShape &shape);
timing::Work workOf(const Config &config, const DmaShape &shape);

/// Cycles of \p work if the machine did nothing else.
uint64_t cyclesAlone(const Config &config, const timing::Work &work);

/// The shared figures of \p config.
timing::Machine machineOf(const Config &config);

/// A stream in the event engine's terms. `layer` is an index into layerTags.
struct TimedStream {
  std::vector<timing::TimedCommand> commands;
  std::vector<uint16_t> layerTags; ///< ascending
};

/// Reads \p stream up to its END. Fails with the fault of the first bad command, and with
/// WAIT_FORWARD and REGION_RANGE (no END) as the command processor does.
Decoded<TimedStream> timedStream(const StreamView &stream, const Config &config);

} // namespace tenon::mortise
