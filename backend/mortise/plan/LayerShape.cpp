// SPDX-License-Identifier: Apache-2.0
// What all kinds of layers share: strides, sizes, transfers.
#include "backend/mortise/plan/LayerShape.h"

#include "support/Checked.h"

namespace tenon::mortise {

Box TensorUse::boxOf(const Box &out) const {
  return {axes[0].partOf(out[0]).range, axes[1].partOf(out[1]).range, axes[2].partOf(out[2]).range};
}

Dims TensorUse::largestPart(const Dims &tile) const {
  return {axes[0].largestPart(tile[0]), axes[1].largestPart(tile[1]), axes[2].largestPart(tile[2])};
}

SramStrides stridesOf(const TensorUse &use, const Dims &part) {
  if (use.layout == Layout::LINEAR) {
    const uint32_t column = part[kChannels] * use.elementBytes;
    return {part[kColumns] * column, column};
  }
  const uint32_t block = part[kColumns] * 16 * use.elementBytes;
  return {ceilDiv(part[kChannels], 16u) * block, block};
}

uint64_t sramBytesOf(const TensorUse &use, const Dims &part) {
  const uint64_t channels =
      use.layout == Layout::LINEAR ? part[kChannels] : alignUp<uint64_t>(part[kChannels], 16);
  return uint64_t(part[kRows]) * part[kColumns] * channels * use.elementBytes;
}

uint64_t constantBytesOf(const LayerShape &shape, uint32_t channels) {
  const uint64_t bricks = ceilDiv(channels, 16u);
  return shape.brickBytes ? bricks * (shape.brickBytes + 16 * ChannelEntry::kBytes) : 0;
}

DmaShape dmaOf(const TensorUse &use, const Box &box, uint64_t offset, bool write) {
  const Dims whole = use.extents();
  const uint64_t pixel = uint64_t(whole[kChannels]) * use.elementBytes;
  const uint64_t row = whole[kColumns] * pixel;
  DmaShape shape;
  shape.offset = offset + box[kRows].begin * row + box[kColumns].begin * pixel +
                 uint64_t(box[kChannels].begin) * use.elementBytes;
  shape.n0 = uint64_t(box[kChannels].size) * use.elementBytes;
  shape.n1 = box[kColumns].size, shape.stride1 = pixel;
  shape.n2 = box[kRows].size, shape.stride2 = row;
  shape.write = write;
  return shape;
}

} // namespace tenon::mortise
