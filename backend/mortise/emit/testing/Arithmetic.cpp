// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/emit/testing/Arithmetic.h"

namespace tenon::mortise::testing {
namespace {

int32_t mulHigh(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN)
    return INT32_MAX;
  const int64_t product = int64_t(a) * b;
  const int64_t nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
  return int32_t((product + nudge) / (int64_t(1) << 31));
}

int32_t lookUp(const MicroOp &op, int32_t a, const std::function<uint8_t(int64_t)> &tableByte) {
  const int64_t entry = std::clamp(a, -128, 127) + 128;
  const uint32_t bytes = 1u << op.option;
  uint32_t value = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    value |= uint32_t(tableByte(op.immediate + entry * bytes + i)) << (8 * i);
  return int32_t(value << (32 - 8 * bytes)) >> (32 - 8 * bytes);
}

int32_t compute(const MicroOp &op, int32_t a, int32_t b, int32_t third,
                const std::function<uint8_t(int64_t)> &tableByte) {
  const int32_t by = std::clamp(b, 0, 31);
  switch (op.op) {
  case MicroOpcode::MOV:
    return a;
  case MicroOpcode::ADD:
    return wrap(int64_t(a) + b);
  case MicroOpcode::SUB:
    return wrap(int64_t(a) - b);
  case MicroOpcode::MUL:
    return wrap(int64_t(a) * b);
  case MicroOpcode::MULH:
    return mulHigh(a, b);
  case MicroOpcode::ASHR:
    return wrap(int64_t(a >> by) + (op.option && by ? a >> (by - 1) & 1 : 0));
  case MicroOpcode::LSHR:
    return int32_t(uint32_t(a) >> by);
  case MicroOpcode::SHL:
    return int32_t(uint32_t(a) << by);
  case MicroOpcode::RESCALE:
    return op.option & MicroOption::OPERANDS
               ? rescale(a, b, uint32_t(third), op.option & MicroOption::DOUBLE)
               : rescale(a, op.immediate, op.srcB, op.option & MicroOption::DOUBLE);
  case MicroOpcode::MIN:
    return std::min(a, b);
  case MicroOpcode::MAX:
    return std::max(a, b);
  case MicroOpcode::CLAMP:
    return int32_t(clip(a, int16_t(op.immediate), op.immediate >> 16));
  case MicroOpcode::CLZ:
    return std::countl_zero(uint32_t(a));
  case MicroOpcode::GE:
    return a >= b;
  case MicroOpcode::SEL:
    return a ? b : third;
  case MicroOpcode::LUT8:
    return lookUp(op, a, tableByte);
  default:
    return 0; // not used by select
  }
}

class Machine {
public:
  Machine(const std::vector<int32_t> &a, const std::vector<int32_t> &b, int32_t immediate0,
          int32_t immediate1)
      : a(a), b(b), immediates{immediate0, immediate1}, registers(a.size()) {}

  int32_t read(uint8_t source, const MicroOp &op, size_t lane) const {
    if (source < 16)
      return registers[lane][source];
    switch (Source(source)) {
    case Source::A:
      return a[lane];
    case Source::B:
      return b[lane];
    case Source::IMM0:
      return immediates[0];
    case Source::IMM1:
      return immediates[1];
    default:
      return op.immediate;
    }
  }

  int32_t reduce(const MicroOp &op) const {
    int32_t result = read(op.srcA, op, 0);
    for (size_t lane = 1; lane < a.size(); ++lane) {
      const int32_t x = read(op.srcA, op, lane);
      result = op.op == MicroOpcode::RSUM   ? wrap(int64_t(result) + x)
               : op.op == MicroOpcode::RMAX ? std::max(result, x)
                                            : std::min(result, x);
    }
    return result;
  }

  const std::vector<int32_t> &a, &b;
  std::array<int32_t, 2> immediates;
  std::vector<std::array<int32_t, 16>> registers;
};

} // namespace

std::vector<int32_t> runProgram(const std::vector<MicroOp> &program, const std::vector<int32_t> &a,
                                const std::vector<int32_t> &b, int32_t immediate0,
                                int32_t immediate1,
                                const std::function<uint8_t(int64_t)> &tableByte) {
  Machine machine(a, b, immediate0, immediate1);
  for (const MicroOp &op : program) {
    const bool reduces =
        op.op == MicroOpcode::RSUM || op.op == MicroOpcode::RMAX || op.op == MicroOpcode::RMIN;
    const int32_t reduced = reduces ? machine.reduce(op) : 0;
    for (size_t lane = 0; lane < a.size(); ++lane) {
      const bool isShift = op.op == MicroOpcode::RESCALE && !(op.option & MicroOption::OPERANDS);
      const int32_t y = isShift ? 0 : machine.read(op.srcB, op, lane);
      machine.registers[lane][op.dst] =
          reduces ? reduced
                  : compute(op, machine.read(op.srcA, op, lane), y,
                            machine.read(uint8_t(op.immediate), op, lane), tableByte);
    }
  }
  std::vector<int32_t> results;
  for (const auto &lane : machine.registers)
    results.push_back(lane[program.back().dst]);
  return results;
}

} // namespace tenon::mortise::testing
