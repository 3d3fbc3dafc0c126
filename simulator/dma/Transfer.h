// SPDX-License-Identifier: Apache-2.0
// DMA_COPY and DMA_FILL, carried out.
#pragma once
#include "simulator/program/Step.h"

namespace tenon::simulator {

/// Moves or fills. \p dram is the step's region; both memories were checked to hold what it
/// touches.
void transfer(const DmaStep &step, uint8_t *sram, uint8_t *dram);

} // namespace tenon::simulator
