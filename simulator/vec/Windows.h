// SPDX-License-Identifier: Apache-2.0
// VEC_RUN of kinds POOL and REDUCE.
#pragma once
#include "simulator/program/Step.h"

namespace tenon::simulator {

void pool(const VecStep &step, uint8_t *sram);
void reduce(const VecStep &step, uint8_t *sram);

} // namespace tenon::simulator
