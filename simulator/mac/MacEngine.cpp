// SPDX-License-Identifier: Apache-2.0
// Packs a command's tile and weights, then works through its bricks of 16 output channels.
#include "simulator/mac/MacEngine.h"

#include <algorithm>
#include <cstring>

#include "simulator/mac/Kernels.h"
#include "simulator/mac/PackedInput.h"
#include "simulator/memory/Lanes.h"

namespace tenon::simulator {
namespace {

using namespace mortise;

LaneScale scaleOf(int32_t multiplier, uint32_t shift, Rounding rounding) {
  shift = std::min(shift, 62u);
  return {multiplier, int32_t(shift), shift ? int64_t(1) << (shift - 1) : 0,
          rounding == Rounding::DOUBLE && shift > 31 ? int64_t(1) << 30 : 0};
}

int32_t lowestOf(DType type) { return type == DType::I8 ? -128 : 0; }

class MacCommand {
public:
  MacCommand(const MacStep &step, uint8_t *sram, std::vector<int16_t> &input,
             std::vector<int16_t> &weights, std::vector<uint32_t> &taps)
      : step(step), run(step.run), d(step.descriptor), sram(sram),
        output(d.output, run.outputAddress, run.outputRow, sram),
        operand(d.operand, run.operandAddress, run.operandRow, sram), input(input),
        weights(weights), taps(taps) {
    post.zeroPointA = d.zeroPointA, post.outputZeroPoint = d.output.zeroPoint;
    post.clampAMin = d.clampAMin, post.clampAMax = d.clampAMax;
    post.clampBMin = d.clampBMin, post.clampBMax = d.clampBMax;
    post.eltwise = uint8_t(d.eltwise), post.inputLeftShift = d.inputLeftShift;
    post.mainScale = scaleOf(d.mainMultiplier, d.mainShift, d.rounding);
    post.operandScale = scaleOf(d.operandMultiplier, d.operandShift, d.rounding);
    post.resultScale = scaleOf(d.resultMultiplier, d.resultShift, d.rounding);
  }

  void convolveAll() {
    const PackedInput packed = packInput(step, sram, input, taps);
    for (uint32_t first = 0; first < run.outC; first += 2 * kLanes) {
      const uint32_t bricks = run.outC - first > kLanes ? 2 : 1;
      for (uint32_t brick = 0; brick < bricks; ++brick)
        packBrick(first / kLanes + brick, brick);
      forChunks(packed, [&] {
        ConvolveTask task;
        task.input = input.data(), task.taps = taps.data(), task.tapCount = taps.size();
        task.pixels = begins, task.pixelCount = count;
        for (uint32_t brick = 0; brick < bricks; ++brick) {
          task.weights[brick] = weights.data() + brick * brickElements();
          task.sums[brick] = sums[brick];
        }
        convolve(task);
        for (uint32_t brick = 0; brick < bricks; ++brick)
          finish(first + brick * kLanes, sums[brick]);
      });
    }
  }

  void convolveByChannel() {
    for (uint32_t first = 0; first < run.outC; first += kLanes) {
      const PackedInput packed = packLanes(step, sram, first, lanesAt(first), input, taps);
      packLaneWeights(first / kLanes);
      forChunks(packed, [&] {
        DepthwiseTask task;
        task.input = input.data(), task.taps = taps.data(), task.tapCount = taps.size();
        task.pixels = begins, task.pixelCount = count;
        task.weights = weights.data(), task.sums = sums[0];
        convolveDepthwise(task);
        finish(first, sums[0]);
      });
    }
  }

private:
  const MacStep &step;
  const MacRun &run;
  const MacDescriptor &d;
  uint8_t *sram;
  ViewMemory output, operand;
  std::vector<int16_t> &input, &weights;
  std::vector<uint32_t> &taps;
  PostTask post;
  size_t firstPixel = 0, count = 0; ///< of the chunk
  uint32_t begins[kPixels];
  int32_t sums[2][kPixels * kLanes], operands[kPixels * kLanes] = {};

  uint32_t lanesAt(uint32_t first) const { return std::min<uint32_t>(kLanes, run.outC - first); }
  size_t brickElements() const { return taps.size() * kLanes * kLanes; }

  /// Channels that count in each tap: all 16 but in the last block of a pixel or folded row.
  uint32_t depthOf(size_t tap) const {
    const uint32_t depth = d.fold ? d.kernelW * uint32_t(d.inputChannels) : d.inputChannels;
    const uint32_t block = uint32_t(tap) % ((depth + 15) / 16);
    return std::min<uint32_t>(16, depth - block * 16);
  }

  /// Stored [tap][out][in], wanted [tap][in / 2][out][2].
  void packBrick(uint32_t number, uint32_t slot) {
    weights.resize(2 * brickElements());
    const auto *from =
        reinterpret_cast<const int8_t *>(sram + run.weightAddress) + number * brickElements();
    int16_t *to = weights.data() + slot * brickElements();
    for (size_t tap = 0; tap < taps.size(); ++tap, from += 256, to += 256) {
      const uint32_t depth = depthOf(tap);
      for (uint32_t in = 0; in < 16; ++in)
        for (uint32_t out = 0; out < 16; ++out)
          to[(in / 2 * 16 + out) * 2 + in % 2] =
              int16_t(in < depth ? from[out * 16 + in] - d.weightZeroPoint : 0);
    }
  }

  void packLaneWeights(uint32_t number) {
    const size_t elements = taps.size() * kLanes;
    weights.resize(elements);
    widen(sram + run.weightAddress + number * elements, true, d.weightZeroPoint, elements,
          weights.data());
  }

  template <typename Work> void forChunks(const PackedInput &packed, Work work) {
    const size_t pixels = size_t(run.outH) * run.outW;
    for (firstPixel = 0; firstPixel < pixels; firstPixel += count) {
      count = std::min(kPixels, pixels - firstPixel);
      for (size_t i = 0; i < count; ++i)
        begins[i] = uint32_t((firstPixel + i) / run.outW * packed.rowStep +
                             (firstPixel + i) % run.outW * packed.columnStep);
      work();
    }
  }

  void finish(uint32_t first, int32_t *values) {
    loadChannels(first);
    post.values = values, post.pixelCount = count;
    if (d.eltwise != Eltwise::NONE)
      loadOperands(first);
    postProcess(post);
    if (d.lut == LutMode::TABLE8)
      lookUp(values);
    if (d.output.layout == Layout::B16 && bytesOf(d.output.dtype) == 1)
      storeBlock(first, values);
    else
      storePixels(first, values);
  }

  size_t rowOf(size_t i) const { return (firstPixel + i) / run.outW; }
  size_t columnOf(size_t i) const { return (firstPixel + i) % run.outW; }

  void storePixels(uint32_t first, const int32_t *values) {
    for (size_t i = 0; i < count; ++i)
      output.store(rowOf(i), columnOf(i), run.firstChannel + first, lanesAt(first),
                   values + i * kLanes, 0);
  }

  /// A row's pixels of a block lie side by side, as their values do.
  void storeBlock(uint32_t first, int32_t *values) {
    if (const uint32_t lanes = lanesAt(first); lanes < kLanes)
      for (size_t i = 0; i < count; ++i)
        std::fill(values + i * kLanes + lanes, values + (i + 1) * kLanes, d.output.zeroPoint);
    for (size_t i = 0, pixels = 0; i < count; i += pixels) {
      pixels = std::min(count - i, run.outW - columnOf(i));
      narrow(values + i * kLanes, d.output.dtype == DType::I8, pixels * kLanes,
             output.at(rowOf(i), columnOf(i), run.firstChannel + first));
    }
  }

  /// The channel table's entries, laid out as mortise::ChannelEntry; its last bytes may be
  /// anything.
  void loadChannels(uint32_t first) {
    const uint8_t *entry = sram + run.tableAddress + first * uint64_t(ChannelEntry::kBytes);
    for (uint32_t lane = 0; lane < lanesAt(first); ++lane, entry += ChannelEntry::kBytes) {
      int32_t multiplier;
      std::memcpy(&post.bias[lane], entry, 4);
      std::memcpy(&multiplier, entry + 8, 4);
      post.scales[lane] = scaleOf(multiplier, entry[6], d.rounding);
    }
  }

  void loadOperands(uint32_t first) {
    for (size_t i = 0; i < count; ++i)
      operand.load(rowOf(i), columnOf(i), run.firstChannel + first, lanesAt(first),
                   operands + i * kLanes);
    post.operand = operands;
  }

  void lookUp(int32_t *values) {
    const int32_t lowest = lowestOf(d.output.dtype);
    const uint8_t *table = sram + d.lutAddress;
    for (size_t i = 0; i < count * kLanes; ++i) {
      const uint8_t entry = table[std::clamp<int64_t>(int64_t(values[i]) - lowest, 0, 255)];
      values[i] = d.output.dtype == DType::I8 ? int32_t(int8_t(entry)) : entry;
    }
  }
};

} // namespace

void MacEngine::run(const MacStep &step, uint8_t *sram) {
  MacCommand command(step, sram, input, weights, taps);
  step.descriptor.mode == MacMode::DEPTHWISE ? command.convolveByChannel() : command.convolveAll();
}

} // namespace tenon::simulator
