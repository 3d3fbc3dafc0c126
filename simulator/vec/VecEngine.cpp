// SPDX-License-Identifier: Apache-2.0
// Element-wise programs over groups of pixels.
#include "simulator/vec/VecEngine.h"

#include <algorithm>

#include "simulator/memory/Lanes.h"
#include "simulator/vec/Windows.h"

namespace tenon::simulator {
namespace {

/// Lanes a program runs over at once, unless one pixel has more.
constexpr size_t kChunkLanes = 1024;

struct Pixels {
  size_t first, count, columns;
  size_t row(size_t i) const { return (first + i) / columns; }
  size_t column(size_t i) const { return (first + i) % columns; }
};

void load(const ViewMemory &view, const Pixels &pixels, size_t channels, std::vector<int32_t> &to) {
  to.resize(pixels.count * channels);
  for (size_t i = 0; i < pixels.count; ++i)
    view.load(pixels.row(i), pixels.column(i), 0, channels, to.data() + i * channels);
}

} // namespace

void VecEngine::run(const VecStep &step, uint8_t *sram) {
  switch (step.descriptor.vecKind) {
  case mortise::VecKind::POOL:
    return pool(step, sram);
  case mortise::VecKind::REDUCE:
    return reduce(step, sram);
  default:
    return elementwise(step, sram);
  }
}

void VecEngine::elementwise(const VecStep &step, uint8_t *sram) {
  const auto &run = step.run;
  const auto &d = step.descriptor;
  const ViewMemory aView(d.a, run.aAddress, run.aRow, sram);
  const ViewMemory bView(d.b, run.bAddress, run.bRow, sram);
  const ViewMemory output(d.output, run.outAddress, run.outRow, sram);
  const size_t all = size_t(run.h) * run.w, channels = run.c;
  if (!channels)
    return;
  const size_t group = std::max<size_t>(1, kChunkLanes / channels);
  for (size_t first = 0; first < all; first += group) {
    const Pixels pixels{first, std::min(group, all - first), run.w};
    if (step.readsA)
      load(aView, pixels, channels, a);
    if (step.readsB)
      load(bView, pixels, channels, b);
    const auto results = machine.run({&step.program, pixels.count, channels, a.data(), b.data(),
                                      run.immediate0, run.immediate1, sram, d.lutAddress});
    for (size_t i = 0; i < pixels.count; ++i)
      output.store(pixels.row(i), pixels.column(i), 0, channels, results.data() + i * channels,
                   d.output.zeroPoint);
  }
}

} // namespace tenon::simulator
