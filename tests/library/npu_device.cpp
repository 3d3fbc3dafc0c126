// SPDX-License-Identifier: Apache-2.0
// A functional model of what NpuTable.cpp writes.
#include "Commands.h"
#include "tenon_device.hpp"

namespace {

using namespace tenon::device;
using whole::Window;

/// What tests/conform plants to be found: none in the device itself.
enum class Fault { None, Rounding, PoolWindow, ZeroPoint };
#ifdef WHOLE_FAULT
constexpr Fault kFault = Fault::WHOLE_FAULT;
#else
constexpr Fault kFault = Fault::None;
#endif

uint64_t product(std::initializer_list<int32_t> factors) {
  uint64_t all = 1;
  for (int32_t factor : factors) {
    require(factor > 0 && all < uint64_t(1) << 31, "an extent is out of range");
    all *= uint64_t(factor);
  }
  return all;
}

void checkTensors(const Window &w, size_t input, size_t output) {
  require(input == product({w.samples, w.inH, w.inW, w.inC}) &&
              output == product({w.samples, w.outH, w.outW, w.outC}),
          "a window has other extents than its tensors");
}

/// Calls \p visit(input index of channel 0, tap) for the taps inside the input.
template <typename Visit>
void forTaps(const Window &w, int64_t n, int64_t y, int64_t x, Visit visit) {
  for (int64_t ky = 0; ky < w.kernelH; ++ky)
    for (int64_t kx = 0; kx < w.kernelW; ++kx) {
      const int64_t inY = y * w.strideH + ky * w.dilationH - w.padTop;
      const int64_t inX = x * w.strideW + kx * w.dilationW - w.padLeft;
      if (inY >= 0 && inY < w.inH && inX >= 0 && inX < w.inW)
        visit(((n * w.inH + inY) * w.inW + inX) * w.inC, ky * w.kernelW + kx);
    }
}

/// Calls \p visit(n, y, x, output index of channel 0) for every pixel.
template <typename Visit> void forPixels(const Window &w, Visit visit) {
  for (int64_t n = 0; n < w.samples; ++n)
    for (int64_t y = 0; y < w.outH; ++y)
      for (int64_t x = 0; x < w.outW; ++x)
        visit(n, y, x, ((n * w.outH + y) * w.outW + x) * w.outC);
}

void runConvolution(Call &call) {
  auto c = call.command<whole::ConvolutionCommand>();
  if (kFault == Fault::ZeroPoint && c.inputZeroPoint == -128)
    c.inputZeroPoint = -127;
  const Window &w = c.window;
  const auto input = call.input<int8_t>(0);
  const auto output = call.output<int8_t>();
  const auto weights = call.constant<int8_t>(0);
  const auto bias = call.constant<int32_t>(1), multipliers = call.constant<int32_t>(2),
             shifts = call.constant<int32_t>(3);
  checkTensors(w, input.size(), output.size());
  const size_t channels = size_t(w.outC);
  const int32_t depth = c.depthwise ? 1 : w.inC;
  require(weights.size() == product({w.outC, w.kernelH, w.kernelW, depth}), "weights are missing");
  require(bias.size() == channels && multipliers.size() == channels && shifts.size() == channels,
          "a channel has no bias or scale");
  require(!c.depthwise || int64_t(w.inC) * c.channelMultiplier == w.outC, "channels do not divide");
  std::span<const int8_t> table;
  if (c.hasTable)
    table = call.constant<int8_t>(4);
  require(!c.hasTable || table.size() == 256, "a table has 256 entries");
  const int64_t taps = int64_t(w.kernelH) * w.kernelW;
  forPixels(w, [&](int64_t n, int64_t y, int64_t x, int64_t out) {
    for (int64_t o = 0; o < w.outC; ++o) {
      int64_t sum = bias[o];
      forTaps(w, n, y, x, [&](int64_t in, int64_t tap) {
        const int64_t first = c.depthwise ? in + o / c.channelMultiplier : in;
        const int64_t weight = c.depthwise ? tap * w.outC + o : (o * taps + tap) * w.inC;
        for (int64_t i = 0; i < depth; ++i)
          sum += (input[first + i] - c.inputZeroPoint) * (weights[weight + i] - c.weightZeroPoint);
      });
      const int32_t scaled =
          kFault == Fault::Rounding // one too little on ties
              ? rescale(sum * 2 - 1, multipliers[o], shifts[o] + 1, c.doubleRounding != 0)
              : rescale(sum, multipliers[o], shifts[o], c.doubleRounding != 0);
      const int8_t value = clampTo(scaled + c.outputZeroPoint, c.low, c.high);
      output[out + o] = table.empty() ? value : table[size_t(value + 128)];
    }
  });
  call.macs = output.size() * uint64_t(taps * depth);
}

void runAdd(Call &call) {
  const auto c = call.command<whole::AddCommand>();
  const auto output = call.output<int8_t>();
  const auto sums = call.scratch<int32_t>(0);
  require(sums.size() == output.size(), "scratch has another size");
  for (uint32_t side : {0, 1}) {
    const auto input = call.input<int8_t>(side);
    require(input.size() == output.size() && c.leftShift[side] >= 0 && c.leftShift[side] < 24,
            "an operand has another shape or a shift is out of range");
    for (size_t i = 0; i < input.size(); ++i) {
      const int64_t value = int64_t(input[i] - c.zeroPoint[side]) * (1 << c.leftShift[side]);
      const int32_t term = rescale(value, c.multiplier[side], c.shift[side], c.doubleRounding != 0);
      sums[i] = side == 0 ? term : c.subtract ? sums[i] - term : sums[i] + term;
    }
  }
  for (size_t i = 0; i < output.size(); ++i)
    output[i] = clampTo(rescale(sums[i], c.multiplier[2], c.shift[2], c.doubleRounding != 0) +
                            c.zeroPoint[2],
                        c.low, c.high);
}

void runPool(Call &call) {
  auto c = call.command<whole::PoolCommand>();
  if (kFault == Fault::PoolWindow)
    std::swap(c.window.kernelH, c.window.kernelW);
  const Window &w = c.window;
  const auto input = call.input<int8_t>(0);
  const auto output = call.output<int8_t>();
  checkTensors(w, input.size(), output.size());
  require(w.inC == w.outC && w.kernelH > 0 && w.kernelW > 0, "channels or a kernel are wrong");
  forPixels(w, [&](int64_t n, int64_t y, int64_t x, int64_t out) {
    for (int64_t channel = 0; channel < w.outC; ++channel) {
      int32_t sum = 0, count = 0, largest = -128;
      forTaps(w, n, y, x, [&](int64_t in, int64_t) {
        const int32_t value = input[in + channel];
        sum += value + c.offset, ++count;
        largest = std::max(largest, value);
      });
      require(count > 0 || !c.average, "a window lies outside the input");
      const int32_t half = sum >= 0 ? count / 2 : -(count / 2);
      output[out + channel] =
          clampTo(c.average ? (sum + half) / count - c.offset : largest, c.low, c.high);
    }
  });
}

void runSignFlip(Call &call) {
  const auto input = call.input<uint8_t>(0);
  const auto output = call.output<uint8_t>();
  require(input.size() == output.size(), "operands have two sizes");
  for (size_t i = 0; i < input.size(); ++i)
    output[i] = input[i] ^ 0x80;
}

const Npu &npu() {
  static const Npu table = {"whole",
                            "whole",
                            whole::kCommandVersion,
                            {{"conv2d", runConvolution},
                             {"depthwise", runConvolution},
                             {"dense", runConvolution},
                             {"add", runAdd},
                             {"average_pool", runPool},
                             {"max_pool", runPool},
                             {"sign_flip", runSignFlip}}};
  return table;
}

} // namespace

TENON_DEVICE(npu)
