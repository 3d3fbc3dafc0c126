// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/emit/Transfers.h"

#include <algorithm>

namespace tenon::mortise {
namespace {

/// Bytes from the first to the last that \p rows lines of a part take.
uint64_t spanOf(const TensorUse &use, const Dims &size, uint64_t rows, const SramStrides &strides) {
  const uint64_t before = (rows - 1) * strides.row;
  if (use.layout == Layout::LINEAR)
    return before + uint64_t(size[kColumns] - 1) * strides.block +
           size[kChannels] * use.elementBytes;
  return before + uint64_t((size[kChannels] - 1) / 16) * strides.block +
         uint64_t(size[kColumns]) * 16 * use.elementBytes;
}

/// A linear transfer's items become longer where they follow each other in both memories.
void mergeItems(Dma &dma) {
  if (dma.n1 == 1 || (dma.dramStride1 == dma.n0 && dma.sramStride1 == dma.n0)) {
    dma.n0 *= dma.n1;
    dma.n1 = 1, dma.dramStride1 = dma.sramStride1 = 0;
  }
  // Lines of a ring do not follow each other where it wraps.
  if (dma.n1 == 1 && !dma.ringRows &&
      (dma.n2 == 1 || (dma.dramStride2 == dma.n0 && dma.sramStride2 == dma.n0))) {
    dma.n0 *= dma.n2;
    dma.n2 = 1, dma.dramStride2 = dma.sramStride2 = 0;
  }
}

} // namespace

SramPart partIn(const TensorUse &use, const Dims &largest, uint32_t address) {
  return {address, stridesOf(use, largest), 0, 0};
}

SramPart partInRing(const TensorUse &use, uint32_t ringRows, uint32_t address, uint32_t firstRow) {
  return {address, stridesOf(use, use.extents()), ringRows, firstRow};
}

Access sramAccess(uint32_t address, uint64_t bytes, bool write) {
  return {kSramSpace, address, address + bytes, write, std::nullopt};
}

void addSramAccesses(std::vector<Access> &accesses, const TensorUse &use, const Box &box,
                     const SramPart &part, bool write) {
  const Dims size = sizeOf(box);
  const uint32_t line = part.ringRows ? part.firstRow % part.ringRows : 0;
  const uint32_t before = part.ringRows ? std::min(size[kRows], part.ringRows - line) : size[kRows];
  accesses.push_back(sramAccess(part.address + line * part.strides.row,
                                spanOf(use, size, before, part.strides), write));
  if (before < size[kRows])
    accesses.push_back(
        sramAccess(part.address, spanOf(use, size, size[kRows] - before, part.strides), write));
}

Access dramAccess(const TensorUse &use, const Box &box, const TensorPlace &place, bool write) {
  const DmaShape dma = dmaOf(use, box, place.offset, write);
  const uint64_t end =
      dma.offset + (dma.n2 - 1) * dma.stride2 + (dma.n1 - 1) * dma.stride1 + dma.n0;
  return {place.region, dma.offset, end, write, GridBox{place.owner, use.extents(), box}};
}

Dma transferOf(const TensorUse &use, const Box &box, const TensorPlace &place, const SramPart &part,
               bool write, int32_t zeroPoint) {
  const DmaShape shape = dmaOf(use, box, place.offset, write);
  const bool linear = use.layout == Layout::LINEAR;
  Dma dma;
  dma.region = place.region;
  dma.mode = write ? (linear ? DmaMode::STORE_LINEAR : DmaMode::B16_TO_NHWC)
                   : (linear ? DmaMode::LOAD_LINEAR : DmaMode::NHWC_TO_B16);
  dma.elementSize = uint8_t(use.elementBytes);
  dma.sramAddress = part.address;
  dma.dramOffset = shape.offset;
  dma.n0 = uint32_t(shape.n0), dma.n1 = uint16_t(shape.n1), dma.n2 = uint16_t(shape.n2);
  dma.dramStride1 = shape.n1 > 1 ? uint32_t(shape.stride1) : 0;
  dma.dramStride2 = shape.n2 > 1 ? uint32_t(shape.stride2) : 0;
  dma.sramStride1 = part.strides.block, dma.sramStride2 = part.strides.row;
  dma.ringRows = uint16_t(part.ringRows), dma.firstRow = uint16_t(part.firstRow);
  if (linear)
    mergeItems(dma);
  else if (!write)
    dma.padValue = int16_t(zeroPoint);
  return dma;
}

} // namespace tenon::mortise
