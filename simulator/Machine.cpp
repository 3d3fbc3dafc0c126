// SPDX-License-Identifier: Apache-2.0
// Hands each command to its engine.
#include "simulator/Machine.h"

#include <cstring>

#include "simulator/dma/Transfer.h"
#include "simulator/mac/MacEngine.h"
#include "simulator/vec/VecEngine.h"

namespace tenon::simulator {

struct Machine::State {
  Bytes sram;
  MacEngine mac;
  VecEngine vec;
};

Machine::Machine(const mortise::Config &config) : state(std::make_unique<State>()) {
  state->sram.resize(config.sramBytes);
}

Machine::~Machine() = default;

std::span<const uint8_t> Machine::sram() const { return state->sram; }

void Machine::run(const Program &program, const Regions &regions) {
  std::ranges::fill(state->sram, uint8_t(0));
  uint8_t *sram = state->sram.data();
  for (const Step &step : program.steps()) {
    if (const auto *dma = std::get_if<DmaStep>(&step.work))
      transfer(*dma, sram, regions[dma->dma.region]);
    else if (const auto *mac = std::get_if<MacStep>(&step.work))
      state->mac.run(*mac, sram);
    else if (const auto *vec = std::get_if<VecStep>(&step.work))
      state->vec.run(*vec, sram);
    else if (const auto *signal = std::get_if<mortise::Signal>(&step.work))
      std::memcpy(regions[signal->region] + signal->offset, &signal->value, sizeof(signal->value));
  }
}

} // namespace tenon::simulator
