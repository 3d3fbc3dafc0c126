// SPDX-License-Identifier: Apache-2.0
// A command with what it refers to: ready to be checked and carried out.
#pragma once
#include "hardware/mortise/Dispatch.h"

namespace tenon::simulator {

struct DmaStep {
  bool fill = false;
  mortise::Dma dma;
};

struct MacStep {
  mortise::MacRun run;
  mortise::MacDescriptor descriptor;
};

struct VecStep {
  mortise::VecRun run;
  mortise::VecDescriptor descriptor;
  std::vector<mortise::MicroOp> program;
  bool readsA = true, readsB = false;
};

struct Step {
  mortise::Header header;
  std::variant<std::monostate, DmaStep, MacStep, VecStep, mortise::Signal> work;
};

/// Elements that \p step works on, 0 for what the timing model never underrates. It does so with
/// degenerate shapes: rows of nothing, products past 64 bits.
double elementsOf(const Step &step);

/// Resolves \p command's descriptor and program. Fails with the device's fault.
mortise::Decoded<Step> makeStep(const mortise::StreamView &stream, const mortise::Command &command);

} // namespace tenon::simulator
