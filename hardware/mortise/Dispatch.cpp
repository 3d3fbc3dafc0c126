// SPDX-License-Identifier: Apache-2.0
// Unwraps waits; answers what a command touches.
#include "hardware/mortise/Dispatch.h"

namespace tenon::mortise {
namespace {

/// A micro-op's sources; `count` of them are read.
struct Sources {
  std::array<uint8_t, 3> source;
  uint32_t count;
};

Sources sourcesOf(const MicroOp &op) {
  const Sources all = {{op.srcA, op.srcB, uint8_t(op.immediate)}, 3};
  const auto first = [&](uint32_t count) { return Sources{all.source, count}; };
  switch (op.op) {
  case MicroOpcode::SEL:
    return all;
  case MicroOpcode::RESCALE:
    return op.option & MicroOption::OPERANDS ? all : first(1);
  case MicroOpcode::MOV:
  case MicroOpcode::CLAMP:
  case MicroOpcode::ABS:
  case MicroOpcode::NEG:
  case MicroOpcode::CLZ:
  case MicroOpcode::NOT:
  case MicroOpcode::LUT8:
  case MicroOpcode::LUT16:
  case MicroOpcode::RSUM:
  case MicroOpcode::RMAX:
  case MicroOpcode::RMIN:
  case MicroOpcode::CAST:
    return first(1);
  default:
    return first(2);
  }
}

} // namespace

Decoded<EngineCounts> Dispatch::next(const Header &header) {
  EngineCounts waits{};
  for (uint32_t e = 0; e < kEngineCount; ++e) {
    const int16_t behind = int16_t(uint16_t(dispatched[e]) - header.wait[e]);
    if (behind < 0)
      return tl::unexpected(DecodeError{FaultCode::WAIT_FORWARD, 4 + 2 * e,
                                        "a wait names a command that does not yet exist"});
    waits[e] = dispatched[e] > uint64_t(behind) ? dispatched[e] - uint64_t(behind) : 0;
  }
  if (header.engine != Engine::CP)
    ++dispatched[size_t(header.engine)];
  return waits;
}

bool readsSource(const std::vector<MicroOp> &program, Source source) {
  for (const MicroOp &op : program) {
    const Sources sources = sourcesOf(op);
    for (uint32_t i = 0; i < sources.count; ++i)
      if (sources.source[i] == uint8_t(source))
        return true;
  }
  return false;
}

uint32_t bytesOf(DType type) {
  switch (type) {
  case DType::I8:
  case DType::U8:
    return 1;
  case DType::I16:
    return 2;
  case DType::I32:
  case DType::F32:
    return 4;
  }
  return 1;
}

bool isStore(DmaMode mode) { return mode == DmaMode::STORE_LINEAR || mode == DmaMode::B16_TO_NHWC; }

} // namespace tenon::mortise
