// SPDX-License-Identifier: Apache-2.0
// Packs one row after the other; padding is 0, since zero points are taken off.
#include "simulator/mac/PackedInput.h"

#include <algorithm>

#include "simulator/mac/Kernels.h"
#include "simulator/memory/Lanes.h"

namespace tenon::simulator {
namespace {

using namespace mortise;

class Packer {
public:
  Packer(const MacStep &step, uint8_t *sram, std::vector<int16_t> &input,
         std::vector<uint32_t> &taps)
      : run(step.run), d(step.descriptor), view(d.input),
        memory(view, run.inputAddress, run.inputRow, sram),
        columns(uint32_t(run.padLeft) + run.inCols + run.padRight), input(input), taps(taps) {
    taps.clear();
  }

  PackedInput whole() {
    const uint32_t blocks = (d.inputChannels + 15u) / 16, rowElements = columns * blocks * 16;
    begin(rowElements);
    forRows([&](uint32_t row, int16_t *to) {
      for (uint32_t block = 0; block < blocks; ++block) {
        int16_t *pixels = to + block * columns * 16 + run.padLeft * 16;
        packBlock(row, block, pixels);
      }
    });
    for (uint32_t y = 0; y < d.kernelH; ++y)
      for (uint32_t x = 0; x < d.kernelW; ++x)
        for (uint32_t block = 0; block < blocks; ++block)
          taps.push_back(y * d.dilationH * rowElements + (block * columns + x * d.dilationW) * 16);
    return {d.strideH * rowElements, d.strideW * 16u};
  }

  PackedInput folded() {
    const uint32_t channels = d.inputChannels, rowElements = columns * channels;
    begin(rowElements);
    forRows([&](uint32_t row, int16_t *to) {
      widen(memory.at(row, 0, 0), isSigned(), view.zeroPoint, size_t(run.inCols) * channels,
            to + run.padLeft * channels);
    });
    for (uint32_t y = 0; y < d.kernelH; ++y)
      for (uint32_t at = 0; at < d.kernelW * channels; at += 16)
        taps.push_back(y * d.dilationH * rowElements + at);
    return {d.strideH * rowElements, d.strideW * channels};
  }

  PackedInput lanes(uint32_t first, uint32_t count) {
    const uint32_t rowElements = columns * 16;
    begin(rowElements);
    forRows([&](uint32_t row, int16_t *to) {
      if (d.channelMultiplier == 1 && view.layout == Layout::B16)
        packBlock(row, first / 16, to + run.padLeft * 16);
      else
        gather(row, first, count, to + run.padLeft * 16);
    });
    for (uint32_t y = 0; y < d.kernelH; ++y)
      for (uint32_t x = 0; x < d.kernelW; ++x)
        taps.push_back(y * d.dilationH * rowElements + x * d.dilationW * 16);
    return {d.strideH * rowElements, d.strideW * 16u};
  }

private:
  const MacRun &run;
  const MacDescriptor &d;
  const View &view;
  ViewMemory memory;
  const uint32_t columns;
  std::vector<int16_t> &input;
  std::vector<uint32_t> &taps;
  uint32_t rowSize = 0;

  bool isSigned() const { return view.dtype == DType::I8; }

  /// A group of 16 may begin at the last element, so 16 more are there.
  void begin(uint32_t rowElements) {
    const size_t rows = size_t(run.padTop) + run.inRows + run.padBottom;
    const bool padded = run.padTop || run.padLeft || run.padBottom || run.padRight;
    rowSize = rowElements;
    if (padded)
      input.clear(); // so that resize zeroes everything
    input.resize(rows * rowElements + 16);
  }

  template <typename Pack> void forRows(Pack pack) {
    for (uint32_t row = 0; row < run.inRows; ++row)
      pack(row, input.data() + size_t(run.padTop + row) * rowSize);
  }

  /// A block's 16 lanes of all columns; a whole block is in SRAM even if fewer channels count.
  void packBlock(uint32_t row, uint32_t block, int16_t *to) {
    if (view.layout == Layout::B16)
      return widen(memory.at(row, 0, block * 16), isSigned(), view.zeroPoint,
                   size_t(run.inCols) * 16, to);
    const uint32_t count = std::min<uint32_t>(16, d.inputChannels - block * 16);
    for (uint32_t column = 0; column < run.inCols; ++column)
      widen(memory.at(row, column, block * 16), isSigned(), view.zeroPoint, count,
            to + column * 16);
  }

  void gather(uint32_t row, uint32_t first, uint32_t count, int16_t *to) {
    for (uint32_t column = 0; column < run.inCols; ++column)
      for (uint32_t lane = 0; lane < count; ++lane)
        widen(memory.at(row, column, (first + lane) / d.channelMultiplier), isSigned(),
              view.zeroPoint, 1, to + column * 16 + lane);
  }
};

} // namespace

PackedInput packInput(const MacStep &step, uint8_t *sram, std::vector<int16_t> &input,
                      std::vector<uint32_t> &taps) {
  Packer packer(step, sram, input, taps);
  return step.descriptor.fold ? packer.folded() : packer.whole();
}

PackedInput packLanes(const MacStep &step, uint8_t *sram, uint32_t first, uint32_t lanes,
                      std::vector<int16_t> &input, std::vector<uint32_t> &taps) {
  return Packer(step, sram, input, taps).lanes(step.run.firstChannel + first, lanes);
}

} // namespace tenon::simulator
