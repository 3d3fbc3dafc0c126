// SPDX-License-Identifier: Apache-2.0
// A loop over the lanes for each micro-op (manual: Micro-programs).
#include "simulator/vec/MicroProgram.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tenon::simulator {
namespace {

using namespace mortise;

int32_t wrap(int64_t value) { return int32_t(uint32_t(uint64_t(value))); }

int32_t multiplyHigh(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN)
    return INT32_MAX;
  const int64_t product = int64_t(a) * b;
  return int32_t((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / (int64_t(1) << 31));
}

int32_t rescale(int32_t v, int32_t multiplier, uint32_t shift, bool isDouble) {
  shift = std::min(shift, 62u);
  int64_t round = shift ? int64_t(1) << (shift - 1) : 0;
  if (isDouble && shift > 31)
    round += v >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
  return wrap((int64_t(v) * multiplier + round) >> shift);
}

int32_t shiftRight(int32_t a, int32_t by, bool rounds) {
  return wrap(int64_t(a >> by) + (rounds && by ? a >> (by - 1) & 1 : 0));
}

template <typename T> T entry(const uint8_t *table, int64_t index) {
  T value;
  std::memcpy(&value, table + index * int64_t(sizeof(T)), sizeof(T));
  return value;
}

int32_t lookUp8(const uint8_t *table, uint32_t size, int32_t a) {
  const int64_t index = std::clamp(a, -128, 127) + 128;
  return size == 0   ? entry<int8_t>(table, index)
         : size == 1 ? entry<int16_t>(table, index)
                     : entry<int32_t>(table, index);
}

int32_t lookUp16(const uint8_t *table, int32_t a) {
  a = std::clamp(a, -32768, 32767);
  const int64_t index = (a >> 7) + 256;
  const int32_t low = entry<int16_t>(table, index), high = entry<int16_t>(table, index + 1);
  return low * 128 + (high - low) * (a & 127);
}

int32_t cast(int32_t a, DType type) {
  switch (type) {
  case DType::I8:
    return int8_t(a);
  case DType::U8:
    return uint8_t(a);
  case DType::I16:
    return int16_t(a);
  default:
    return a;
  }
}

/// A source: one value a lane, or the same for all.
struct Lanes {
  const int32_t *values;
  size_t step;
  int32_t operator[](size_t lane) const { return values[lane * step]; }
};

class OpRunner {
public:
  OpRunner(const MicroTask &task, int32_t *registers) : task(task), registers(registers) {}

  /// Runs \p op into \p to, which is no operand.
  void run(const MicroOp &op, int32_t *to) const {
    const Lanes a = source(op.srcA, op);
    if (op.op == MicroOpcode::RSUM || op.op == MicroOpcode::RMAX || op.op == MicroOpcode::RMIN)
      return reduce(op.op, a, to);
    if (op.op == MicroOpcode::RESCALE)
      return rescaleLanes(op, a, to);
    if (op.op == MicroOpcode::SEL) {
      const Lanes b = source(op.srcB, op), other = source(uint8_t(op.immediate), op);
      return each(to, [&](size_t i) { return a[i] ? b[i] : other[i]; });
    }
    if (!unary(op, a, to))
      binary(op, a, source(op.srcB, op), to);
  }

  size_t count() const { return task.pixels * task.channels; }

private:
  const MicroTask &task;
  int32_t *registers;

  Lanes source(uint8_t number, const MicroOp &op) const {
    switch (Source(number)) {
    case Source::A:
      return {task.a, 1};
    case Source::B:
      return {task.b, 1};
    case Source::IMM0:
      return {&task.immediate0, 0};
    case Source::IMM1:
      return {&task.immediate1, 0};
    case Source::IMM:
      return {&op.immediate, 0};
    default:
      return {registers + number * count(), 1};
    }
  }

  template <typename Value> void each(int32_t *to, Value value) const {
    for (size_t i = 0; i < count(); ++i)
      to[i] = value(i);
  }

  void rescaleLanes(const MicroOp &op, Lanes a, int32_t *to) const {
    const bool isDouble = op.option & MicroOption::DOUBLE;
    if (!(op.option & MicroOption::OPERANDS))
      return each(to, [&](size_t i) { return rescale(a[i], op.immediate, op.srcB, isDouble); });
    const Lanes multiplier = source(op.srcB, op), shift = source(uint8_t(op.immediate), op);
    each(to, [&](size_t i) { return rescale(a[i], multiplier[i], uint32_t(shift[i]), isDouble); });
  }

  void reduce(MicroOpcode op, Lanes a, int32_t *to) const {
    for (size_t pixel = 0; pixel < task.pixels; ++pixel) {
      const size_t first = pixel * task.channels;
      int32_t result = a[first];
      for (size_t i = first + 1; i < first + task.channels; ++i)
        result = op == MicroOpcode::RSUM   ? wrap(int64_t(result) + a[i])
                 : op == MicroOpcode::RMAX ? std::max(result, a[i])
                                           : std::min(result, a[i]);
      std::fill_n(to + first, task.channels, result);
    }
  }

  bool unary(const MicroOp &op, Lanes a, int32_t *to) const {
    switch (op.op) {
    case MicroOpcode::MOV:
      return each(to, [&](size_t i) { return a[i]; }), true;
    case MicroOpcode::CLAMP:
      return each(to, [low = int32_t(int16_t(op.immediate)), high = op.immediate >> 16,
                       a](size_t i) { return std::min(std::max(a[i], low), high); }),
             true;
    case MicroOpcode::ABS:
      return each(to, [&](size_t i) { return a[i] < 0 ? wrap(-int64_t(a[i])) : a[i]; }), true;
    case MicroOpcode::NEG:
      return each(to, [&](size_t i) { return wrap(-int64_t(a[i])); }), true;
    case MicroOpcode::CLZ:
      return each(to, [&](size_t i) { return std::countl_zero(uint32_t(a[i])); }), true;
    case MicroOpcode::NOT:
      return each(to, [&](size_t i) { return ~a[i]; }), true;
    case MicroOpcode::LUT8:
      return each(to, [&](size_t i) { return lookUp8(table(op), op.option, a[i]); }), true;
    case MicroOpcode::LUT16:
      return each(to, [&](size_t i) { return lookUp16(table(op), a[i]); }), true;
    case MicroOpcode::CAST:
      return each(to, [&](size_t i) { return cast(a[i], DType(op.immediate)); }), true;
    default:
      return false;
    }
  }

  const uint8_t *table(const MicroOp &op) const { return task.sram + (task.tables + op.immediate); }

  void binary(const MicroOp &op, Lanes a, Lanes b, int32_t *to) const {
    const auto by = [&](size_t i) { return std::clamp(b[i], 0, 31); };
    switch (op.op) {
    case MicroOpcode::ADD:
      return each(to, [&](size_t i) { return wrap(int64_t(a[i]) + b[i]); });
    case MicroOpcode::SUB:
      return each(to, [&](size_t i) { return wrap(int64_t(a[i]) - b[i]); });
    case MicroOpcode::MUL:
      return each(to, [&](size_t i) { return wrap(int64_t(a[i]) * b[i]); });
    case MicroOpcode::MULH:
      return each(to, [&](size_t i) { return multiplyHigh(a[i], b[i]); });
    case MicroOpcode::ASHR:
      return each(to, [&](size_t i) { return shiftRight(a[i], by(i), op.option); });
    case MicroOpcode::LSHR:
      return each(to, [&](size_t i) { return int32_t(uint32_t(a[i]) >> by(i)); });
    case MicroOpcode::SHL:
      return each(to, [&](size_t i) { return int32_t(uint32_t(a[i]) << by(i)); });
    case MicroOpcode::MIN:
      return each(to, [&](size_t i) { return std::min(a[i], b[i]); });
    case MicroOpcode::MAX:
      return each(to, [&](size_t i) { return std::max(a[i], b[i]); });
    case MicroOpcode::AND:
      return each(to, [&](size_t i) { return a[i] & b[i]; });
    case MicroOpcode::OR:
      return each(to, [&](size_t i) { return a[i] | b[i]; });
    case MicroOpcode::XOR:
      return each(to, [&](size_t i) { return a[i] ^ b[i]; });
    case MicroOpcode::EQ:
      return each(to, [&](size_t i) { return a[i] == b[i]; });
    case MicroOpcode::GE:
      return each(to, [&](size_t i) { return a[i] >= b[i]; });
    default: // GT: the decoder lets no other number through
      return each(to, [&](size_t i) { return a[i] > b[i]; });
    }
  }
};

} // namespace

std::span<const int32_t> MicroMachine::run(const MicroTask &task) {
  const size_t count = task.pixels * task.channels;
  registers.assign(16 * count, 0);
  scratch.resize(count);
  const OpRunner runner(task, registers.data());
  for (const MicroOp &op : *task.program) {
    runner.run(op, scratch.data());
    std::ranges::copy(scratch, registers.begin() + ptrdiff_t(op.dst * count));
  }
  return {registers.data() + task.program->back().dst * count, count};
}

} // namespace tenon::simulator
