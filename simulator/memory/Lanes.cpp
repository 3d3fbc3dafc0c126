// SPDX-License-Identifier: Apache-2.0
// Elements of every type, in runs that lie side by side.
#include "simulator/memory/Lanes.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tenon::simulator {
namespace {

using namespace mortise;

template <typename T>
void widen(const uint8_t *from, size_t count, int32_t zeroPoint, int32_t *to) {
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    to[i] = int32_t(uint32_t(int32_t(value)) - uint32_t(zeroPoint));
  }
}

template <typename T>
void narrow(const int32_t *values, size_t count, int32_t offset, uint8_t *to) {
  for (size_t i = 0; i < count; ++i) {
    int64_t value = int64_t(values[i]) + offset;
    if constexpr (sizeof(T) < 4)
      value =
          std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    const T stored = T(value);
    std::memcpy(to + i * sizeof(T), &stored, sizeof(T));
  }
}

void widenAs(DType type, const uint8_t *from, size_t count, int32_t zeroPoint, int32_t *to) {
  switch (type) {
  case DType::I8:
    return widen<int8_t>(from, count, zeroPoint, to);
  case DType::U8:
    return widen<uint8_t>(from, count, zeroPoint, to);
  case DType::I16:
    return widen<int16_t>(from, count, zeroPoint, to);
  default:
    return widen<int32_t>(from, count, zeroPoint, to);
  }
}

void narrowAs(DType type, const int32_t *values, size_t count, int32_t offset, uint8_t *to) {
  switch (type) {
  case DType::I8:
    return narrow<int8_t>(values, count, offset, to);
  case DType::U8:
    return narrow<uint8_t>(values, count, offset, to);
  case DType::I16:
    return narrow<int16_t>(values, count, offset, to);
  default:
    return narrow<int32_t>(values, count, offset, to);
  }
}

/// Channels from \p channel on that lie side by side.
size_t runLength(const View &view, uint64_t channel, size_t count) {
  return view.layout == Layout::LINEAR ? count : std::min<size_t>(count, 16 - channel % 16);
}

} // namespace

uint8_t *ViewMemory::at(uint64_t row, uint64_t column, uint64_t channel) const {
  if (view.broadcast & Axis::H)
    row = 0;
  if (view.broadcast & Axis::W)
    column = 0;
  if (view.broadcast & Axis::C)
    channel = 0;
  row += firstRow;
  uint8_t *line = sram + address + (view.ringRows ? row % view.ringRows : row) * view.rowStride;
  if (view.layout == Layout::LINEAR)
    return line + column * view.blockStride + channel * size;
  return line + channel / 16 * view.blockStride + (column * 16 + channel % 16) * size;
}

void ViewMemory::load(uint64_t row, uint64_t column, uint64_t first, size_t count,
                      int32_t *to) const {
  if (view.broadcast & Axis::C) {
    widenAs(view.dtype, at(row, column, 0), std::min<size_t>(count, 1), view.zeroPoint, to);
    if (count)
      std::fill_n(to, count, to[0]);
    return;
  }
  for (size_t done = 0, run = 0; done < count; done += run) {
    run = runLength(view, first + done, count - done);
    widenAs(view.dtype, at(row, column, first + done), run, view.zeroPoint, to + done);
  }
}

void ViewMemory::store(uint64_t row, uint64_t column, uint64_t first, size_t count,
                       const int32_t *values, int32_t offset) const {
  for (size_t done = 0, run = 0; done < count; done += run) {
    run = runLength(view, first + done, count - done);
    narrowAs(view.dtype, values + done, run, offset, at(row, column, first + done));
  }
  const uint64_t end = first + count;
  if (view.layout == Layout::LINEAR || end % 16 == 0)
    return;
  constexpr int32_t kNothing[16] = {};
  narrowAs(view.dtype, kNothing, 16 - end % 16, view.zeroPoint, at(row, column, end));
}

} // namespace tenon::simulator
