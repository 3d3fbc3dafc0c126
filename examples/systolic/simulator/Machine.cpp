// SPDX-License-Identifier: Apache-2.0
// Executes commands that readProgram checked.
#include "Machine.h"

#include <algorithm>
#include <cstring>

namespace systolic {
namespace {

/// The vector unit's scaling; shifts are 6 bits wide in it.
int32_t rescale(int64_t value, int32_t multiplier, int32_t shift, bool doubleRounding) {
  shift = std::max(shift & 63, 1);
  uint64_t round = uint64_t(1) << (shift - 1);
  if (doubleRounding && shift > 31)
    round += value >= 0 ? uint64_t(1) << 30 : -(uint64_t(1) << 30);
  const uint64_t product = uint64_t(value) * uint64_t(int64_t(multiplier));
  return int32_t(int64_t(product + round) >> shift);
}

int32_t wrappingAdd(int32_t a, int32_t b) { return int32_t(uint32_t(a) + uint32_t(b)); }

int8_t clamp(int32_t value, int32_t low, int32_t high) {
  return int8_t(std::min(std::max(value, low), high));
}

} // namespace

Machine::Machine() : accumulators(size_t(kRows) * kLanes) {}

Counters Machine::run(const std::vector<Command> &program, const Memory &reached) {
  memory = &reached;
  counters = {};
  for (const Command &command : program)
    std::visit([this](const auto &c) { execute(c); }, command);
  return counters;
}

uint8_t *Machine::at(Address address) const {
  const uint32_t region = uint32_t(address >> 60), edge = uint32_t(address >> 48) & kMaxEdge;
  uint8_t *base = region == 0   ? memory->inputs[edge]
                  : region == 1 ? memory->outputs[edge]
                  : region == 2 ? memory->scratch
                                : const_cast<uint8_t *>(memory->constants); // only read: checked
  return base + (address & kMaxOffset);
}

const int8_t *Machine::valuesAt(Address address) const {
  return reinterpret_cast<const int8_t *>(at(address));
}

/// Calls \p visit(tap, offset of channel 0) for the taps of a row that lie inside the input.
template <typename Visit> void Machine::forTaps(uint32_t row, Visit visit) const {
  const Window &w = window;
  const int64_t x = row % w.outW, y = row / w.outW % w.outH, n = row / w.outW / w.outH;
  for (int64_t ky = 0; ky < w.kernelH; ++ky)
    for (int64_t kx = 0; kx < w.kernelW; ++kx) {
      const int64_t inY = y * w.strideH + ky * w.dilationH - w.padTop;
      const int64_t inX = x * w.strideW + kx * w.dilationW - w.padLeft;
      if (inY >= 0 && inY < w.inH && inX >= 0 && inX < w.inW)
        visit(ky * w.kernelW + kx, ((n * w.inH + inY) * w.inW + inX) * w.inC);
    }
}

/// The address generator: 16 columns of im2col, less the zero point.
void Machine::gather(const Matmul &command, uint32_t row, int16_t *columns) const {
  const Window &w = window;
  const int64_t x = row % w.outW, y = row / w.outW % w.outH, n = row / w.outW / w.outH;
  const int8_t *input = valuesAt(command.input);
  int64_t tap = command.firstColumn / w.inC, channel = command.firstColumn % w.inC;
  for (uint32_t k = 0; k < kLanes && tap < int64_t(tapsOf(w)); ++tap, channel = 0) {
    const int64_t inY = y * w.strideH + tap / w.kernelW * w.dilationH - w.padTop;
    const int64_t inX = x * w.strideW + tap % w.kernelW * w.dilationW - w.padLeft;
    const bool inside = inY >= 0 && inY < w.inH && inX >= 0 && inX < w.inW;
    const int8_t *pixel = inside ? input + ((n * w.inH + inY) * w.inW + inX) * w.inC : nullptr;
    for (; k < kLanes && channel < w.inC; ++k, ++channel)
      columns[k] = inside ? int16_t(pixel[channel] - w.inputZeroPoint) : int16_t(0);
  }
}

void Machine::execute(const Window &command) { window = command; }

void Machine::execute(const Load &command) {
  const int8_t *tile = valuesAt(command.tile);
  for (uint32_t k = 0; k < kLanes; ++k)
    for (uint32_t n = 0; n < kLanes; ++n)
      weights[k][n] = int16_t(tile[k * kLanes + n] - window.weightZeroPoint);
  counters.cycles += cyclesOf(command);
}

void Machine::execute(const Matmul &command) {
  for (uint32_t row = 0; row < command.rows; ++row) {
    int16_t columns[kLanes] = {};
    gather(command, command.firstRow + row, columns);
    int32_t sums[kLanes] = {};
    int32_t *accumulator = &accumulators[size_t(row) * kLanes];
    if (command.accumulate)
      std::copy_n(accumulator, kLanes, sums);
    for (uint32_t k = 0; k < kLanes; ++k)
      for (uint32_t n = 0; n < kLanes; ++n)
        sums[n] = wrappingAdd(sums[n], columns[k] * weights[k][n]);
    std::copy_n(sums, kLanes, accumulator);
  }
  counters.cycles += cyclesOf(command);
  counters.macs += uint64_t(command.rows) * kTileBytes;
}

void Machine::execute(const Depthwise &command) {
  const uint32_t lanes = std::min(kLanes, uint32_t(window.inC) - command.firstChannel);
  const int8_t *input = valuesAt(command.input) + command.firstChannel;
  const int8_t *taps = valuesAt(command.weights);
  for (uint32_t row = 0; row < command.rows; ++row) {
    int32_t *sums = &accumulators[size_t(row) * kLanes];
    std::fill_n(sums, kLanes, 0);
    forTaps(command.firstRow + row, [&](int64_t tap, int64_t pixel) {
      for (uint32_t n = 0; n < lanes; ++n)
        sums[n] = wrappingAdd(sums[n], (input[pixel + n] - window.inputZeroPoint) *
                                           (taps[tap * kLanes + n] - window.weightZeroPoint));
    });
  }
  counters.cycles += cyclesOf(command, window);
  counters.macs += command.rows * tapsOf(window) * lanes;
}

void Machine::execute(const Requantise &command) {
  const uint32_t lanes = std::min(kLanes, uint32_t(window.outC) - command.firstChannel);
  Lane parameters[kLanes];
  std::memcpy(parameters, at(command.lanes), sizeof(parameters));
  for (uint32_t row = 0; row < command.rows; ++row) {
    const int32_t *sums = &accumulators[size_t(row) * kLanes];
    const uint64_t pixel = uint64_t(command.firstRow + row) * uint32_t(window.outC);
    uint8_t *output = at(command.output) + pixel + command.firstChannel;
    for (uint32_t n = 0; n < lanes; ++n) {
      const auto &[bias, multiplier, shift] = parameters[n];
      const int32_t scaled =
          rescale(wrappingAdd(sums[n], bias), multiplier, shift, command.doubleRounding != 0);
      output[n] = uint8_t(clamp(wrappingAdd(scaled, command.zeroPoint), command.low, command.high));
    }
  }
  counters.cycles += cyclesOf(command);
}

void Machine::execute(const Pool &command) {
  const int8_t *input = valuesAt(command.input);
  uint8_t *output = at(command.output);
  const uint32_t rows = uint32_t(window.samples * window.outH * window.outW);
  for (uint32_t row = 0; row < rows; ++row)
    for (int32_t channel = 0; channel < window.outC; ++channel) {
      int32_t sum = 0, count = 0, largest = -128;
      forTaps(row, [&](int64_t, int64_t pixel) {
        const int32_t value = input[pixel + channel];
        sum = wrappingAdd(sum, wrappingAdd(value, command.offset)), ++count;
        largest = std::max(largest, value);
      });
      count = std::max(count, 1);
      const int64_t rounded = (int64_t(sum) + (sum >= 0 ? count / 2 : -(count / 2))) / count;
      const int32_t value = command.average ? int32_t(rounded - command.offset) : largest;
      *output++ = uint8_t(clamp(value, command.low, command.high));
    }
  counters.cycles += cyclesOf(command, window);
}

void Machine::execute(const Add &c) {
  const int8_t *a = valuesAt(c.a), *b = valuesAt(c.b);
  uint8_t *output = at(c.output);
  const auto scale = [&](int32_t value, int side) {
    const int64_t shifted = int64_t(value - c.zeroPoint[side]) * (1 << c.leftShift[side]);
    return rescale(shifted, c.multiplier[side], c.shift[side], c.doubleRounding != 0);
  };
  for (uint32_t i = 0; i < c.elements; ++i) {
    const int64_t left = scale(a[i], 0), right = scale(b[i], 1);
    const int64_t sum = c.subtract ? left - right : left + right;
    const int32_t scaled = rescale(sum, c.multiplier[2], c.shift[2], c.doubleRounding != 0);
    output[i] = uint8_t(clamp(wrappingAdd(scaled, c.zeroPoint[2]), c.low, c.high));
  }
  counters.cycles += cyclesOf(c);
}

void Machine::execute(const Move &command) {
  uint8_t *output = at(command.output);
  std::memmove(output, at(command.input), command.bytes);
  for (uint64_t i = 0; command.flip != 0 && i < command.bytes; ++i)
    output[i] ^= uint8_t(command.flip);
  counters.cycles += cyclesOf(command);
}

} // namespace systolic
