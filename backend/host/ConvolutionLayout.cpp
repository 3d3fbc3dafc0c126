// SPDX-License-Identifier: Apache-2.0
// Packs weights and requantisation constants in the order kernels read them.
#include "backend/host/ConvolutionLayout.h"

#include "backend/host/KernelText.h"
#include "support/Checked.h"

namespace tenon::host {
namespace {

constexpr int64_t kLanes = 16, kTileRows = 4;
/// A chunk of packed rows should stay in the second-level cache beside a block of weights.
constexpr int64_t kChunkBytes = 64 * 1024;

void appendWide(std::vector<int32_t> &words, int64_t value) {
  words.push_back(static_cast<int32_t>(value));
  words.push_back(static_cast<int32_t>(value >> 32));
}

/// TOSA's apply_scale_32: half of the shifted-out range, and with double rounding, where the
/// shift exceeds 31, half of the product's upper word away from zero as well.
int64_t roundingOf(int8_t shift, bool doubleRound, bool negative) {
  const int64_t half = int64_t(1) << (shift - 1), extra = int64_t(1) << 30;
  if (!doubleRound || shift <= 31)
    return half;
  return negative ? half - extra : half + extra;
}

std::vector<int32_t> layOutParameters(const ConvolutionMatch &match, size_t channels) {
  std::vector<int32_t> words(match.bias);
  words.resize(channels, 0);
  words.insert(words.end(), match.multiplier.begin(), match.multiplier.end());
  words.resize(2 * channels, 0);
  auto shiftOf = [&](size_t c) { return c < match.shift.size() ? match.shift[c] : int8_t(2); };
  for (size_t c = 0; c < channels; ++c)
    appendWide(words, shiftOf(c));
  for (bool negative : {false, true})
    for (size_t c = 0; c < channels; ++c)
      appendWide(words, roundingOf(shiftOf(c), match.doubleRound, negative));
  return words;
}

std::vector<int16_t> packWeights(const ConvolutionMatch &match, int64_t taps, int64_t columns) {
  const int64_t channels = static_cast<int64_t>(match.bias.size());
  const int64_t blocks = ceilDiv<int64_t>(channels, kLanes);
  std::vector<int16_t> packed(blocks * columns * kLanes, 0);
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t first = std::max<int64_t>(0, std::min(block * kLanes, channels - kLanes));
    for (int64_t lane = 0; lane < std::min(kLanes, channels); ++lane)
      for (int64_t tap = 0; tap < taps; ++tap)
        packed[((block * columns + tap / 2 * 2) * kLanes) + lane * 2 + tap % 2] =
            match.weights[(first + lane) * taps + tap];
  }
  return packed;
}

/// Most channels a depthwise kernel can handle at a time.
int lanesFor(int64_t channels) {
  for (int lanes : {16, 8, 4})
    if (channels >= lanes)
      return lanes;
  return 1;
}

std::vector<int64_t> describe(const ConvolutionMatch &match, int64_t columns, int64_t chunk) {
  auto in = llvm::cast<mlir::ShapedType>(match.input.getType()).getShape();
  auto out = llvm::cast<mlir::ShapedType>(match.last->getResult(0).getType()).getShape();
  // Neighbouring taps are copied together where the input has them side by side.
  const bool together = !match.depthwise && match.dilation[1] == 1;
  return {out[0] * out[1] * out[2],
          out[1],
          out[2],
          in[1],
          in[2],
          in[3],
          out[3],
          match.kernelHeight,
          together ? 1 : match.kernelWidth,
          together ? match.kernelWidth : 1,
          match.stride[0],
          match.stride[1],
          match.dilation[0],
          match.dilation[1],
          match.pad[0],
          match.pad[2],
          match.kernelWidth * in[3],
          columns,
          ceilDiv<int64_t>(out[3], kLanes),
          chunk,
          match.inputZeroPoint,
          match.outputZeroPoint,
          match.low,
          match.high};
}

} // namespace

KernelCall layOutConvolution(const ConvolutionMatch &match) {
  KernelCall call;
  const int64_t channels = static_cast<int64_t>(match.bias.size());
  if (match.depthwise) {
    call.kernel = depthwiseKernelName(lanesFor(channels));
    call.weights = match.weights;
    call.parameters = layOutParameters(match, channels);
    call.geometry = describe(match, 0, 0);
    return call;
  }
  const int64_t taps = static_cast<int64_t>(match.weights.size()) / channels;
  const int64_t columns = alignUp<int64_t>(taps, 2);
  call.kernel = kConvKernel;
  call.weights = packWeights(match, taps, columns);
  call.parameters = layOutParameters(match, std::max(channels, kLanes));
  const int64_t fitting = std::max(kTileRows, kChunkBytes / (2 * columns) / kTileRows * kTileRows);
  call.geometry = describe(match, columns, 0);
  const int64_t chunk = std::min(fitting, call.geometry.front());
  call.geometry = describe(match, columns, chunk);
  call.scratchBytes = chunk * columns * 2;
  return call;
}

} // namespace tenon::host
