// SPDX-License-Identifier: Apache-2.0
// Both gather a box of operand a's elements into each output element.
#include "simulator/vec/Windows.h"

#include <algorithm>

#include "simulator/memory/Lanes.h"

namespace tenon::simulator {
namespace {

using namespace mortise;

struct Range {
  int64_t begin, end;
};

/// What is in the input of a window along one dimension.
Range windowOf(int64_t output, int64_t stride, int64_t kernel, int64_t padding, int64_t extent) {
  const int64_t begin = output * stride - padding;
  return {std::max<int64_t>(begin, 0), std::min(begin + kernel, extent)};
}

/// Sum over count, rounded.
int64_t average(int64_t sum, int64_t count, PoolRounding rounding) {
  const int64_t by = 2 * count;
  if (rounding == PoolRounding::HALF_AWAY)
    return sum >= 0 ? (2 * sum + count) / by : -((-2 * sum + count) / by);
  const int64_t twice = 2 * sum + count;
  return twice >= 0 ? twice / by : -((-twice + by - 1) / by);
}

/// Accumulates pixels, channel by channel.
class Accumulator {
public:
  Accumulator(const VecStep &step, uint8_t *sram, size_t channels)
      : d(step.descriptor), view(d.a, step.run.aAddress, step.run.aRow, sram), lanes(channels),
        totals(channels) {}

  void gather(Range rows, Range columns, size_t firstChannel) {
    std::ranges::fill(totals, start());
    count = 0;
    for (int64_t row = rows.begin; row < rows.end; ++row)
      for (int64_t column = columns.begin; column < columns.end; ++column, ++count)
        add(uint64_t(row), uint64_t(column), firstChannel);
  }

  std::vector<int64_t> &values() { return totals; }
  int64_t pixels() const { return count; }
  int64_t merge(int64_t x, int64_t y) const {
    return d.operation == VecOperation::MAX   ? std::max(x, y)
           : d.operation == VecOperation::MIN ? std::min(x, y)
                                              : x + y;
  }
  int64_t start() const {
    return d.operation == VecOperation::MAX   ? INT64_MIN
           : d.operation == VecOperation::MIN ? INT64_MAX
                                              : 0;
  }

private:
  const VecDescriptor &d;
  ViewMemory view;
  std::vector<int32_t> lanes;
  std::vector<int64_t> totals;
  int64_t count = 0;

  void add(uint64_t row, uint64_t column, size_t firstChannel) {
    view.load(row, column, firstChannel, lanes.size(), lanes.data());
    for (size_t i = 0; i < lanes.size(); ++i)
      totals[i] = merge(totals[i], int64_t(lanes[i]) + d.inputOffset);
  }
};

int32_t wrap(int64_t value) { return int32_t(uint32_t(uint64_t(value))); }

int32_t clampTo(const VecDescriptor &d, int64_t value) {
  return int32_t(std::min<int64_t>(std::max<int64_t>(value, d.clampMin), d.clampMax));
}

int32_t pooled(const VecDescriptor &d, int64_t total, int64_t count) {
  if (!count)
    return 0;
  if (d.operation == VecOperation::AVERAGE)
    total = average(total, count, d.rounding);
  return clampTo(d, total - d.inputOffset);
}

int32_t reduced(const VecDescriptor &d, int64_t total) {
  return clampTo(d, d.operation == VecOperation::SUM ? wrap(total) : total - d.inputOffset);
}

Range along(uint8_t axes, uint16_t axis, int64_t extent, int64_t at) {
  return axes & axis ? Range{0, extent} : Range{at, at + 1};
}

} // namespace

void pool(const VecStep &step, uint8_t *sram) {
  const VecRun &run = step.run;
  const VecDescriptor &d = step.descriptor;
  const ViewMemory output(d.output, run.outAddress, run.outRow, sram);
  Accumulator window(step, sram, run.c);
  std::vector<int32_t> results(run.c);
  for (int64_t y = 0; y < run.h; ++y)
    for (int64_t x = 0; x < run.w; ++x) {
      window.gather(windowOf(y, d.strideH, d.kernelH, run.padTop, run.inRows),
                    windowOf(x, d.strideW, d.kernelW, run.padLeft, run.inCols), 0);
      std::ranges::transform(window.values(), results.begin(),
                             [&](int64_t total) { return pooled(d, total, window.pixels()); });
      output.store(uint64_t(y), uint64_t(x), 0, run.c, results.data(), d.output.zeroPoint);
    }
}

void reduce(const VecStep &step, uint8_t *sram) {
  const VecRun &run = step.run;
  const VecDescriptor &d = step.descriptor;
  const ViewMemory output(d.output, run.outAddress, run.outRow, sram);
  const bool overChannels = d.axis & Axis::C;
  Accumulator box(step, sram, overChannels ? run.inChannels : run.c);
  std::vector<int32_t> results(run.c);
  for (int64_t y = 0; y < run.h; ++y)
    for (int64_t x = 0; x < run.w; ++x) {
      box.gather(along(d.axis, Axis::H, run.inRows, y), along(d.axis, Axis::W, run.inCols, x), 0);
      if (overChannels) {
        int64_t total = box.start();
        for (int64_t value : box.values())
          total = box.merge(total, value);
        std::ranges::fill(results, reduced(d, total));
      } else
        std::ranges::transform(box.values(), results.begin(),
                               [&](int64_t total) { return reduced(d, total); });
      output.store(uint64_t(y), uint64_t(x), 0, run.c, results.data(), d.output.zeroPoint);
    }
}

} // namespace tenon::simulator
