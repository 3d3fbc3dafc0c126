// SPDX-License-Identifier: Apache-2.0
// Where parts of tensors lie in SRAM, which bytes they take there and in DRAM, and the transfers
// between the two.
#pragma once
#include "backend/mortise/emit/Sequencer.h"
#include "backend/mortise/place/Place.h"

namespace tenon::mortise {

/// A part of a tensor in SRAM.
struct SramPart {
  uint32_t address = 0; ///< of line 0
  SramStrides strides;
  uint32_t ringRows = 0; ///< row r is line r mod ringRows; 0: the part's rows are lines 0, 1, ...
  uint32_t firstRow = 0; ///< the part's first row; 0 without a ring
};

/// A buffer for parts of at most \p largest, one of which is there.
SramPart partIn(const TensorUse &use, const Dims &largest, uint32_t address);
/// Rows from \p firstRow in a ring.
SramPart partInRing(const TensorUse &use, uint32_t ringRows, uint32_t address, uint32_t firstRow);

/// Appends what a command that touches all of \p box does to SRAM; a ring may wrap.
void addSramAccesses(std::vector<Access> &accesses, const TensorUse &use, const Box &box,
                     const SramPart &part, bool write);
Access sramAccess(uint32_t address, uint64_t bytes, bool write);
Access dramAccess(const TensorUse &use, const Box &box, const TensorPlace &place, bool write);

/// Moves \p box from DRAM to SRAM, or back if \p write. \p zeroPoint fills the rest of blocks.
Dma transferOf(const TensorUse &use, const Box &box, const TensorPlace &place, const SramPart &part,
               bool write, int32_t zeroPoint);

} // namespace tenon::mortise
