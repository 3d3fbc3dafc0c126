// SPDX-License-Identifier: Apache-2.0
// Elements of views in SRAM, as the engines' lanes see them.
#pragma once
#include "hardware/mortise/Dispatch.h"

namespace tenon::simulator {

/// A view at an address, its rows counted from \p firstRow. SRAM outlives it; every access must
/// have been checked.
class ViewMemory {
public:
  ViewMemory(const mortise::View &view, uint64_t address, uint64_t firstRow, uint8_t *sram)
      : view(view), sram(sram), address(address), firstRow(firstRow),
        size(mortise::bytesOf(view.dtype)) {}

  /// Where element (row, column, channel) lies; rows wrap in a ring, broadcast dimensions count as
  /// 0.
  uint8_t *at(uint64_t row, uint64_t column, uint64_t channel) const;

  /// to[i] = element (row, column, first + i) less the zero point.
  void load(uint64_t row, uint64_t column, uint64_t first, size_t count, int32_t *to) const;

  /// Stores values[i] + \p offset as element (row, column, first + i): saturated, I32 wrapped. The
  /// rest of the last block of 16 becomes the zero point.
  void store(uint64_t row, uint64_t column, uint64_t first, size_t count, const int32_t *values,
             int32_t offset) const;

private:
  const mortise::View &view;
  uint8_t *sram;
  uint64_t address, firstRow, size;
};

} // namespace tenon::simulator
