// SPDX-License-Identifier: Apache-2.0
// A small job on the tiny machine, for tests: a stream in the making and memories beside it.
#pragma once
#include "simulator/Machine.h"

namespace tenon::simulator::testing {

inline constexpr uint64_t kRegionBytes = 4096;

/// Regions 1 (constants) and 3 (inputs) may be read, 2 (scratch) and 4 (outputs) written, too.
class TestJob {
public:
  mortise::Config config = *mortise::loadConfig("tiny");
  mortise::StreamBuilder builder;
  std::array<Bytes, 8> regions;
  LoadOptions options;

  TestJob() {
    for (size_t region : {1, 2, 3, 4})
      regions[region].resize(kRegionBytes);
  }

  /// Appends a transfer, or a fill.
  uint64_t move(mortise::Engine engine, const mortise::Dma &dma, const mortise::Waits &waits = {},
                bool fill = false, uint16_t tag = 1) {
    return builder.add(fill ? mortise::Opcode::DMA_FILL : mortise::Opcode::DMA_COPY, engine, dma,
                       tag, waits);
  }

  uint64_t run(const mortise::MacDescriptor &d, mortise::MacRun run,
               const mortise::Waits &waits = {}, uint16_t tag = 1) {
    run.descriptor = builder.addDescriptor(d);
    return builder.add(mortise::Opcode::MAC_RUN, mortise::Engine::MAC, run, tag, waits);
  }

  uint64_t run(mortise::VecDescriptor d, mortise::VecRun run,
               const std::vector<mortise::MicroOp> &program, const mortise::Waits &waits = {},
               uint16_t tag = 1) {
    if (!program.empty())
      d.program = builder.addProgram(program), d.microOps = uint8_t(program.size());
    run.descriptor = builder.addDescriptor(d);
    return builder.add(mortise::Opcode::VEC_RUN, mortise::Engine::VEC, run, tag, waits);
  }

  /// The container, END appended.
  Bytes finish() {
    builder.add(mortise::Opcode::END, mortise::Engine::CP, mortise::End{}, 9);
    return builder.finish(config);
  }

  Program load(const Bytes &stream) const {
    Limits limits{};
    limits[0] = {stream.size(), true, false};
    for (size_t region = 1; region < 8; ++region)
      limits[region] = {regions[region].size(), true, region == 2 || region == 4};
    limits[kSramSpace] = {config.sramBytes, true, true};
    return Program::load(stream, config, limits, options);
  }

  /// The fault of what was added, or one of code NONE.
  Fault fault() { return load(finish()).fault().value_or(Fault{}); }
};

} // namespace tenon::simulator::testing
