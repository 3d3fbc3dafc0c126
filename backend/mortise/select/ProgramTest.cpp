// SPDX-License-Identifier: Apache-2.0
// Softmax's micro-programs, run as the manual's section Micro-ops says, against TFLite's fixed
// point.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "backend/mortise/select/Program.h"
#include "backend/mortise/select/Softmax.h"

namespace tenon::mortise {
namespace {

int32_t highMul(int64_t a, int64_t b) { return int32_t((a * b + (int64_t(1) << 30)) >> 31); }

/// One pixel of all channels through one program.
class PixelMachine {
public:
  std::vector<int32_t> run(const ElementwiseLayer &layer, std::vector<int32_t> a,
                           std::vector<int32_t> b) {
    registers.assign(16, std::vector<int32_t>(a.size(), 0));
    operandA = std::move(a), operandB = std::move(b);
    for (const MicroOp &op : layer.program)
      registers[op.dst] = step(layer, op);
    return registers[layer.program.back().dst];
  }

private:
  std::vector<int32_t> read(uint8_t source, int32_t immediate) const {
    if (source < 16)
      return registers[source];
    if (source == uint8_t(Source::A))
      return operandA;
    if (source == uint8_t(Source::B))
      return operandB;
    return std::vector<int32_t>(operandA.size(), immediate);
  }

  std::vector<int32_t> step(const ElementwiseLayer &layer, const MicroOp &op) const {
    const auto a = read(op.srcA, op.immediate), b = read(op.srcB, op.immediate);
    const auto third = read(uint8_t(op.immediate) < 16 ? uint8_t(op.immediate) : 0, 0);
    std::vector<int32_t> out(a.size());
    for (size_t i = 0; i < a.size(); ++i)
      out[i] = lane(layer, op, a, a[i], b[i], third[i]);
    return out;
  }

  static int32_t entry(const ElementwiseLayer &layer, const MicroOp &op, int32_t a) {
    uint32_t word = 0;
    for (int byte = 3; byte >= 0; --byte)
      word = word << 8 | layer.tables[op.immediate + 4 * (std::clamp(a, -128, 127) + 128) + byte];
    return int32_t(word);
  }

  static int32_t lane(const ElementwiseLayer &layer, const MicroOp &op,
                      const std::vector<int32_t> &all, int32_t a, int32_t b, int32_t third) {
    const int32_t shift = std::clamp(b, 0, 31);
    switch (op.op) {
    case MicroOpcode::MOV:
      return a;
    case MicroOpcode::ADD:
      return int32_t(uint32_t(a) + uint32_t(b));
    case MicroOpcode::SUB:
      return int32_t(uint32_t(a) - uint32_t(b));
    case MicroOpcode::MULH:
      return highMul(a, b);
    case MicroOpcode::ASHR:
      return (a >> shift) + (op.option && shift ? (a >> (shift - 1)) & 1 : 0);
    case MicroOpcode::LSHR:
      return int32_t(uint32_t(a) >> shift);
    case MicroOpcode::SHL:
      return int32_t(uint32_t(a) << shift);
    case MicroOpcode::CLZ:
      return std::countl_zero(uint32_t(a));
    case MicroOpcode::GE:
      return a >= b;
    case MicroOpcode::SEL:
      return a ? b : third;
    case MicroOpcode::LUT8:
      return entry(layer, op, a);
    case MicroOpcode::RMAX:
      return *std::max_element(all.begin(), all.end());
    case MicroOpcode::RSUM: {
      uint32_t sum = 0;
      for (int32_t value : all)
        sum += uint32_t(value);
      return int32_t(sum);
    }
    default:
      ADD_FAILURE() << "micro-op " << int(op.op);
      return 0;
    }
  }

  std::vector<std::vector<int32_t>> registers;
  std::vector<int32_t> operandA, operandB;
};

std::vector<int32_t> softmax(const std::vector<int32_t> &input, const std::vector<int32_t> &table) {
  const auto layers = makeSoftmax({0, 6, {1, 2, 3, 4, 5}}, table, -128);
  std::vector<std::vector<int32_t>> tensors(7);
  tensors[0] = input;
  for (const ElementwiseLayer &layer : layers) {
    EXPECT_LE(layer.program.size(), kMaxMicroOps);
    const auto b = layer.b ? tensors[*layer.b] : std::vector<int32_t>(input.size());
    tensors[layer.output] = PixelMachine().run(layer, tensors[layer.a], b);
  }
  for (int32_t &value : tensors[6])
    value = std::min(value - 128, 127);
  return tensors[6];
}

/// exp(-scale * difference) with 31 fraction bits.
std::vector<int32_t> tableOf(double scale) {
  std::vector<int32_t> table;
  for (int difference = 0; difference < 256; ++difference)
    table.push_back(int32_t(
        std::min(std::round(std::ldexp(std::exp(-scale * difference), 31)), double(INT32_MAX))));
  return table;
}

TEST(Softmax, IsWithinHalfAStepOfTheRealOne) {
  const std::vector<int32_t> input = {-128, -20, 0, 3, 60, 61, 100, 127, 90, 126};
  const auto result = softmax(input, tableOf(0.05));
  double sum = 0;
  for (int32_t value : input)
    sum += std::exp(0.05 * value);
  for (size_t i = 0; i < input.size(); ++i)
    EXPECT_NEAR(result[i], std::exp(0.05 * input[i]) / sum * 256 - 128, 0.51) << i;
}

TEST(Softmax, LoneClassSaturates) {
  EXPECT_EQ(softmax({5}, tableOf(0.1)), (std::vector<int32_t>{127}));
  EXPECT_EQ(softmax({127, -128}, tableOf(1)), (std::vector<int32_t>{127, -128}));
}

TEST(Softmax, ManyEqualClassesShareNothing) {
  // 4095 equal classes: each share is 1/16 of a step, and the last shift passes 31 bits.
  const auto result = softmax(std::vector<int32_t>(4095, 7), tableOf(0.1));
  EXPECT_EQ(result, std::vector<int32_t>(4095, -128));
}

} // namespace
} // namespace tenon::mortise
