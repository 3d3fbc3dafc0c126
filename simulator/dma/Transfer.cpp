// SPDX-License-Identifier: Apache-2.0
// Rows of items between DRAM and SRAM (manual: DMA).
#include "simulator/dma/Transfer.h"

#include <algorithm>
#include <cstring>

namespace tenon::simulator {
namespace {

using namespace mortise;

/// \p bytes of a value of \p size bytes, repeated.
void fillValue(uint8_t *to, uint64_t bytes, int16_t value, uint32_t size) {
  if (size == 1) {
    std::memset(to, uint8_t(value), bytes);
    return;
  }
  const int32_t wide = value;
  for (uint64_t at = 0; at < bytes; at += size)
    std::memcpy(to + at, &wide, size);
}

class Transfer {
public:
  Transfer(const DmaStep &step, uint8_t *sram, uint8_t *dram)
      : d(step.dma), isFill(step.fill), sram(sram), dram(dram), size(d.elementSize),
        pixel(16 * d.elementSize), lane0(d.sramAddress % pixel / size) {}

  void run() {
    for (uint64_t row = 0; row < d.n2; ++row)
      for (uint64_t item = 0; item < d.n1; ++item)
        move(row, item);
    if (d.mode == DmaMode::NHWC_TO_B16)
      for (uint64_t row = 0; row < d.n2; ++row)
        padColumns(row);
  }

private:
  const Dma &d;
  const bool isFill;
  uint8_t *sram, *dram;
  const uint64_t size, pixel, lane0;

  uint64_t lineOf(uint64_t row) const {
    return d.ringRows ? (d.firstRow + row) % d.ringRows : d.firstRow + row;
  }

  void move(uint64_t row, uint64_t item) {
    if (isFill && d.mode == DmaMode::LOAD_LINEAR) // touches no DRAM
      return fillValue(linear(row, item), d.n0, d.padValue, d.elementSize);
    uint8_t *there = dram + d.dramOffset + row * d.dramStride2 + item * d.dramStride1;
    switch (d.mode) {
    case DmaMode::LOAD_LINEAR:
      return loadLinear(linear(row, item), there);
    case DmaMode::STORE_LINEAR:
      if (isFill)
        fillValue(there, d.n0, d.padValue, d.elementSize);
      else
        std::memcpy(there, linear(row, item), d.n0);
      return;
    case DmaMode::NHWC_TO_B16:
      return loadPixel(row, item, there);
    case DmaMode::B16_TO_NHWC:
      return storePixel(row, item, there);
    }
  }

  uint8_t *linear(uint64_t row, uint64_t item) const {
    return sram + d.sramAddress + lineOf(row) * d.sramStride2 + item * d.sramStride1;
  }

  void loadLinear(uint8_t *to, const uint8_t *from) {
    const uint64_t before = d.padBefore * size, after = d.padAfter * size;
    fillValue(to, before, d.padValue, d.elementSize);
    std::memcpy(to + before, from, d.n0);
    fillValue(to + before + d.n0, after, d.padValue, d.elementSize);
  }

  /// Lane 0 of a block of a column, padding columns counted.
  uint8_t *lanes(uint64_t row, uint64_t column, uint64_t block) const {
    return sram + d.sramAddress - lane0 * size + lineOf(row) * d.sramStride2 +
           block * d.sramStride1 + column * pixel;
  }

  /// Calls \p visit(lanes, bytes from the pixel's begin, bytes) block by block.
  template <typename Visit> void forBlocks(uint64_t row, uint64_t column, Visit visit) {
    uint64_t lane = lane0, done = 0;
    for (uint64_t block = 0; done < d.n0; ++block, lane = 0) {
      const uint64_t bytes = std::min<uint64_t>((16 - lane) * size, d.n0 - done);
      visit(lanes(row, column, block) + lane * size, done, bytes);
      done += bytes;
    }
  }

  void loadPixel(uint64_t row, uint64_t item, const uint8_t *from) {
    const uint64_t column = d.padBefore + item;
    forBlocks(row, column,
              [&](uint8_t *to, uint64_t at, uint64_t bytes) { std::memcpy(to, from + at, bytes); });
    fillTail(row, column);
  }

  /// What is left of the last block.
  void fillTail(uint64_t row, uint64_t column) {
    const uint64_t end = lane0 + d.n0 / size, block = end / 16, lane = end % 16;
    if (lane)
      fillValue(lanes(row, column, block) + lane * size, (16 - lane) * size, d.padValue,
                d.elementSize);
  }

  void padColumns(uint64_t row) {
    const auto pad = [&](uint64_t column) {
      forBlocks(row, column, [&](uint8_t *to, uint64_t, uint64_t bytes) {
        fillValue(to, bytes, d.padValue, d.elementSize);
      });
      fillTail(row, column);
    };
    for (uint64_t column = 0; column < d.padBefore; ++column)
      pad(column);
    for (uint64_t column = 0; column < d.padAfter; ++column)
      pad(uint64_t(d.padBefore) + d.n1 + column);
  }

  void storePixel(uint64_t row, uint64_t item, uint8_t *to) {
    forBlocks(row, item, [&](const uint8_t *from, uint64_t at, uint64_t bytes) {
      std::memcpy(to + at, from, bytes);
    });
  }
};

} // namespace

void transfer(const DmaStep &step, uint8_t *sram, uint8_t *dram) {
  Transfer(step, sram, dram).run();
}

} // namespace tenon::simulator
