// SPDX-License-Identifier: Apache-2.0
// Recognises ADD and SUB, and the parts of them that stand behind convolutions.
#include "backend/patterns/Parsed.h"

namespace tenon::patterns {

namespace tosa = mlir::tosa;
using mlir::Operation;
using mlir::Value;

std::optional<RescaleParse> takeOutputRescale(Value &end, int64_t &low, int64_t &high,
                                              llvm::SmallVectorImpl<Operation *> &taken) {
  Operation *op = end.getDefiningOp();
  if (!op || !isInteger(end, 8))
    return std::nullopt;
  if (llvm::isa<tosa::ClampOp>(op) && readClamp(op, low, high)) {
    Operation *before = op->getOperand(0).getDefiningOp();
    if (!before || !sameUnit(op, before))
      return std::nullopt;
    taken.push_back(op);
    end = op->getOperand(0);
  }
  auto rescale = end.getDefiningOp() ? readRescale(end.getDefiningOp()) : std::nullopt;
  if (!rescale || !isInteger(rescale->op.getInput(), 32))
    return std::nullopt;
  taken.push_back(rescale->op);
  end = rescale->op.getInput();
  return rescale;
}

std::optional<SumSide> readSumSide(Value value) {
  SumSide side;
  auto scale = value.getDefiningOp() ? readRescale(value.getDefiningOp()) : std::nullopt;
  if (!scale || scale->outputZeroPoint != 0)
    return std::nullopt;
  side.scale = *scale;
  side.operators.push_back(scale->op);
  Value input = scale->op.getInput();
  if (isInteger(input, 8)) {
    side.tensor = input;
    side.zeroPoint = scale->inputZeroPoint;
    return side;
  }
  Operation *below = input.getDefiningOp();
  auto shift = below ? readRescale(below) : std::nullopt;
  if (!shift || scale->inputZeroPoint != 0 || !isInteger(shift->op.getInput(), 8) ||
      shift->outputZeroPoint != 0 || splatOf(shift->op.getMultiplier()) != 1 << 30)
    return std::nullopt;
  const auto amount = splatOf(shift->op.getShift());
  if (!amount || *amount > 30)
    return std::nullopt;
  side.leftShift = 30 - *amount;
  side.zeroPoint = shift->inputZeroPoint;
  side.tensor = shift->op.getInput();
  side.operators.push_back(shift->op);
  return side;
}

std::optional<SumParse> parseSum(Operation *root) {
  SumParse sum;
  if (!llvm::isa<tosa::ClampOp, tosa::RescaleOp>(root))
    return std::nullopt;
  Value end = root->getResult(0);
  auto result = takeOutputRescale(end, sum.low, sum.high, sum.operators);
  Operation *op = end.getDefiningOp();
  if (!result || result->inputZeroPoint != 0 || !op || !sameUnit(op, root) ||
      !llvm::isa<tosa::AddOp, tosa::SubOp>(op))
    return std::nullopt;
  auto first = readSumSide(op->getOperand(0)), second = readSumSide(op->getOperand(1));
  if (!first || !second)
    return std::nullopt;
  sum.subtract = llvm::isa<tosa::SubOp>(op);
  sum.result = *result;
  sum.operators.push_back(op);
  for (const SumSide *side : {&*first, &*second})
    for (Operation *part : side->operators)
      if (!sameUnit(part, root))
        return std::nullopt;
      else if (!llvm::is_contained(sum.operators, part))
        sum.operators.push_back(part);
  sum.first = std::move(*first), sum.second = std::move(*second);
  return sum;
}

} // namespace tenon::patterns
