// SPDX-License-Identifier: Apache-2.0
// An NPU that takes all that library style has.
#include "Commands.h"
#include "backend/library/Npu.h"

namespace {

using namespace tenon::library;

int32_t word(int64_t number) { return int32_t(number); }

/// Of a convolution or a pooling.
template <typename View> whole::Window windowOf(const View &view) {
  whole::Window window{};
  window.samples = word(view.in.n);
  window.inH = word(view.in.h), window.inW = word(view.in.w), window.inC = word(view.in.c);
  window.outH = word(view.out.h), window.outW = word(view.out.w), window.outC = word(view.out.c);
  window.kernelH = word(view.kernel.h), window.kernelW = word(view.kernel.w);
  window.strideH = word(view.stride.h), window.strideW = word(view.stride.w);
  window.dilationH = window.dilationW = 1;
  window.padTop = word(view.padding.top), window.padLeft = word(view.padding.left);
  return window;
}

void writeConvolution(const Convolution &conv, Emitter &emit) {
  const Requantise &out = conv.requantise;
  whole::ConvolutionCommand command{};
  command.window = windowOf(conv);
  command.window.dilationH = word(conv.dilation.h);
  command.window.dilationW = word(conv.dilation.w);
  command.depthwise = conv.depthwise;
  command.channelMultiplier = word(conv.channelMultiplier);
  command.inputZeroPoint = conv.inputZeroPoint, command.weightZeroPoint = conv.weightZeroPoint;
  command.outputZeroPoint = out.zeroPoint, command.low = out.low, command.high = out.high;
  command.doubleRounding = out.doubleRounding;
  command.hasTable = !conv.table.empty();
  emit.put(command);
  emit.constant(conv.weights);
  emit.constant(conv.bias);
  emit.constant(out.multipliers);
  emit.constant(out.shifts);
  if (command.hasTable)
    emit.constant(conv.table);
  emit.setCycles(uint64_t(conv.macs()));
}

void writeAdd(const Addition &add, Emitter &emit) {
  emit.put(
      whole::AddCommand{add.subtract,
                        add.doubleRounding,
                        {add.aZeroPoint, add.bZeroPoint, add.outputZeroPoint},
                        {add.aLeftShift, add.bLeftShift},
                        {add.aScale.multiplier, add.bScale.multiplier, add.outputScale.multiplier},
                        {add.aScale.shift, add.bScale.shift, add.outputScale.shift},
                        add.low,
                        add.high});
  emit.scratch(add.output.place.bytes * sizeof(int32_t));
}

void writePool(const Pooling &pool, Emitter &emit) {
  emit.put(
      whole::PoolCommand{windowOf(pool), pool.average, pool.averageOffset, pool.low, pool.high});
}

void writeSignFlip(const SignFlip &, Emitter &) {}

std::vector<Composite> composites() {
  const std::vector<Limit> windows = {between("kernel", 1, 64), atMost("stride", 64)};
  std::vector<Composite> rows = {
      {"conv2d", Operator::Conv2d, windows, writeConvolution},
      {"depthwise", Operator::DepthwiseConv2d, windows, writeConvolution},
      {"dense", Operator::FullyConnected, {}, writeConvolution},
      {"add", Operator::Add, {atMost("elements", 1 << 24)}, writeAdd},
      {"average_pool", Operator::AveragePool2d, windows, writePool},
      {"max_pool", Operator::MaxPool2d, windows, writePool},
      {"reshape", Operator::Reshape},
      {"sign_flip", Operator::SignFlip, {}, writeSignFlip},
  };
  for (Composite &row : rows) {
    row.fusePad = row.takes == Operator::Conv2d || row.takes == Operator::DepthwiseConv2d;
    row.fuseTable = row.takes == Operator::Conv2d || row.takes == Operator::FullyConnected;
  }
  return rows;
}

const Npu &npu() {
  static const Npu table = {"whole",
                            "all of library style, for tests",
                            whole::kCommandVersion,
                            {64, 8, 100},
                            {"fast"},
                            composites()};
  return table;
}

} // namespace

TENON_NPU(npu)
