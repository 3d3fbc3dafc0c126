// SPDX-License-Identifier: Apache-2.0
// Exponentials, their sum, its reciprocal by Newton steps, and each one's share.
#include "backend/mortise/select/Softmax.h"

#include "backend/mortise/select/Program.h"

namespace tenon::mortise {
namespace {

constexpr uint8_t kA = uint8_t(Source::A), kB = uint8_t(Source::B), kImm = uint8_t(Source::IMM);
constexpr uint8_t kWordEntries = 2; ///< LUT8: entries of 4 bytes
constexpr uint8_t kHalf = 0, kEstimate = 1, kRest = 2;
/// Integer bits of the sum; exponentials have none, so they are shifted right by as many.
constexpr int32_t kSumIntegerBits = 12;
/// Taken off the last shift before it, so that it stays below 32 for any sum.
constexpr int32_t kEarlyShift = 8;

using Program = std::vector<MicroOp>;

/// kHalf = the sum in \p source, normalised to [1/2, 1) with 31 fraction bits.
void normalise(Program &program, uint8_t source) {
  program.push_back(microOp(MicroOpcode::CLZ, kHalf, source));
  program.push_back(microOp(MicroOpcode::SHL, kHalf, source, kHalf));
  program.push_back(microOp(MicroOpcode::LSHR, kHalf, kHalf, kImm, 1));
}

/// A step of Newton's: kEstimate, with 29 fraction bits, nears 1 / kHalf.
void refine(Program &program, uint8_t estimate) {
  program.push_back(microOp(MicroOpcode::MULH, kRest, kHalf, estimate));
  program.push_back(microOp(MicroOpcode::SUB, kRest, kImm, kRest, 1 << 29));
  program.push_back(microOp(MicroOpcode::MULH, kRest, estimate, kRest));
  program.push_back(microOp(MicroOpcode::SHL, kRest, kRest, kImm, 2));
  program.push_back(microOp(MicroOpcode::ADD, kEstimate, estimate, kRest));
}

Program exponentialsOf() {
  return {microOp(MicroOpcode::RMAX, 0, kA), microOp(MicroOpcode::SUB, 0, 0, kA),
          microOp(MicroOpcode::ADD, 0, 0, kImm, -128),
          microOp(MicroOpcode::LUT8, 0, 0, 0, 0, kWordEntries)};
}

Program sumOf() {
  return {microOp(MicroOpcode::ASHR, 0, kA, kImm, kSumIntegerBits, uint8_t(MicroOption::ROUND)),
          microOp(MicroOpcode::RSUM, 0, 0)};
}

/// a: the sum. The first estimate is 48/17 - 32/17 of it.
Program estimateOf() {
  Program program;
  normalise(program, kA);
  program.push_back(microOp(MicroOpcode::MULH, kEstimate, kHalf, kImm, -1010580540));
  program.push_back(microOp(MicroOpcode::ADD, kEstimate, kEstimate, kImm, 1515870810));
  refine(program, kEstimate);
  refine(program, kEstimate);
  return program;
}

/// a: the estimate, b: the sum. The reciprocal with 30 fraction bits, saturated.
Program reciprocalOf() {
  constexpr uint8_t kLargest = 3, kIsOver = 4;
  Program program;
  normalise(program, kB);
  refine(program, kA);
  program.push_back(microOp(MicroOpcode::MOV, kLargest, kImm, 0, INT32_MAX));
  program.push_back(microOp(MicroOpcode::GE, kIsOver, kEstimate, kImm, 1 << 30));
  program.push_back(microOp(MicroOpcode::SHL, kEstimate, kEstimate, kImm, 1));
  program.push_back(microOp(MicroOpcode::SEL, 0, kIsOver, kLargest, kEstimate));
  return program;
}

/// a: an exponential's product, b: the sum.
Program shareOf(int32_t outputZeroPoint) {
  constexpr int32_t kShift = kSumIntegerBits + 31 - 8 - kEarlyShift;
  Program program = {microOp(MicroOpcode::CLZ, 0, kB),
                     microOp(MicroOpcode::SUB, 0, kImm, 0, kShift),
                     microOp(MicroOpcode::ASHR, 1, kA, kImm, kEarlyShift),
                     microOp(MicroOpcode::ASHR, 1, 1, 0, 0, uint8_t(MicroOption::ROUND))};
  if (outputZeroPoint != -128)
    program.push_back(microOp(MicroOpcode::ADD, 1, 1, kImm, -128 - outputZeroPoint));
  return program;
}

ElementwiseLayer layerOf(uint32_t a, std::optional<uint32_t> b, uint32_t output, Program program) {
  ElementwiseLayer layer;
  layer.a = a;
  layer.b = b;
  layer.output = output;
  layer.program = std::move(program);
  return layer;
}

} // namespace

std::vector<ElementwiseLayer> makeSoftmax(const SoftmaxTensors &tensors,
                                          const std::vector<int32_t> &exponentials,
                                          int32_t outputZeroPoint) {
  const auto [exponential, sum, estimate, reciprocal, product] = tensors.scratch;
  std::vector<ElementwiseLayer> layers = {
      layerOf(tensors.input, {}, exponential, exponentialsOf()),
      layerOf(exponential, {}, sum, sumOf()),
      layerOf(sum, {}, estimate, estimateOf()),
      layerOf(estimate, sum, reciprocal, reciprocalOf()),
      layerOf(reciprocal, exponential, product, {microOp(MicroOpcode::MULH, 0, kA, kB)}),
      layerOf(product, sum, tensors.output, shareOf(outputZeroPoint))};
  layers[0].wholePixels = layers[1].wholePixels = true;
  for (int32_t entry : exponentials)
    for (int byte = 0; byte < 4; ++byte)
      layers[0].tables.push_back(uint8_t(uint32_t(entry) >> (8 * byte)));
  return layers;
}

} // namespace tenon::mortise
