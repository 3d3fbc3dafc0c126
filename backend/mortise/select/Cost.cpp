// SPDX-License-Identifier: Apache-2.0
// A layer takes the longer of its engine's closed form and its weights' way from DRAM.
#include "backend/mortise/select/Cost.h"

#include "backend/mortise/select/Patterns.h"
#include "hardware/mortise/Timing.h"

namespace tenon::mortise {
namespace {

/// A driver's call, a doorbell and an interrupt.
constexpr uint64_t kLaunchNs = 20000;

uint64_t cyclesOf(const ConvolutionParse &conv, const Parsed &, const Config &config) {
  const Extents output = extentsOf(conv.convolution->getResult(0));
  MacShape shape;
  shape.mode = conv.depthwise        ? MacMode::DEPTHWISE
               : conv.fullyConnected ? MacMode::MATMUL
                                     : MacMode::CONV;
  shape.outH = output.h, shape.outW = output.w, shape.outC = output.c;
  shape.kernelH = conv.kernel[0], shape.kernelW = conv.kernel[1];
  shape.strideW = conv.stride[1], shape.dilationW = conv.dilation[1];
  shape.inC = conv.inputExtents.c;
  shape.operandBytes = conv.add ? 1 : 0;
  const double weights = extentsOf(conv.convolution->getOperand(1)).count();
  return std::max<uint64_t>(cyclesAlone(config, workOf(config, shape)),
                            weights / config.dramBytesPerCycle());
}

uint64_t vectorCycles(const Config &config, int64_t elements, int64_t taps, uint32_t microOps) {
  VecShape shape;
  shape.elements = elements;
  shape.taps = taps;
  shape.microOps = microOps;
  return cyclesAlone(config, workOf(config, shape));
}

uint64_t cyclesOf(const PoolParse &pool, const Parsed &parsed, const Config &config) {
  return vectorCycles(config, extentsOf(parsed.result).count(), pool.kernel[0] * pool.kernel[1], 1);
}
uint64_t cyclesOf(const MeanParse &mean, const Parsed &, const Config &config) {
  return vectorCycles(config, extentsOf(mean.input).count(), 1, 1);
}
uint64_t cyclesOf(const SoftmaxParse &softmax, const Parsed &, const Config &config) {
  return vectorCycles(config, 4 * extentsOf(softmax.input).count(), 1, 64);
}
uint64_t cyclesOf(const ElementwiseParse &, const Parsed &parsed, const Config &config) {
  return vectorCycles(config, extentsOf(parsed.result).count(), 1, parsed.operators.size());
}
uint64_t cyclesOf(const CopyParse &, const Parsed &parsed, const Config &config) {
  return 2 * extentsOf(parsed.result).count() / config.dramBytesPerCycle();
}
uint64_t cyclesOf(const ReshapeParse &, const Parsed &, const Config &) { return 0; }
uint64_t cyclesOf(const EdgeCastParse &, const Parsed &, const Config &) { return 0; }

} // namespace

backend::Cost estimateCost(mlir::Operation *op, const Config &config) {
  auto parsed = parseComposite(op);
  if (!parsed)
    return {};
  const uint64_t cycles =
      std::visit([&](const auto &work) { return cyclesOf(work, *parsed, config); }, parsed->work);
  return {cycles * 1000 / config.clockMhz};
}

backend::RegionCost estimateRegionCost(const Config &config) {
  return {kLaunchNs, 1024000 / config.dramMegabytesPerSecond};
}

} // namespace tenon::mortise
