// SPDX-License-Identifier: Apache-2.0
// The input tile as the kernels read it: padded, less its zero point, 16 channels side by side.
#pragma once
#include <vector>

#include "simulator/program/Step.h"

namespace tenon::simulator {

/// Where windows and taps lie in the packed elements: a window of output (y, x) begins at
/// y*rowStep + x*columnStep, and `taps` lead from there to each group of 16 to contract, in the
/// weights' order.
struct PackedInput {
  uint32_t rowStep = 0, columnStep = 0;
};

/// Packs the whole input for CONV and MATMUL: [row][block][column][16], or with fold [row][column *
/// channel]. What lies in lanes past the last channel is any value: its weights are 0.
PackedInput packInput(const MacStep &step, uint8_t *sram, std::vector<int16_t> &input,
                      std::vector<uint32_t> &taps);

/// Packs for DEPTHWISE the inputs of \p lanes output channels from the tile's \p first on:
/// [row][column][16].
PackedInput packLanes(const MacStep &step, uint8_t *sram, uint32_t first, uint32_t lanes,
                      std::vector<int16_t> &input, std::vector<uint32_t> &taps);

} // namespace tenon::simulator
