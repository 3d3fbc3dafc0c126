// SPDX-License-Identifier: Apache-2.0
// Walks the operators below a result once each and writes their micro-ops.
#include "backend/mortise/select/Program.h"

#include "backend/mortise/select/Parsed.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::mortise {
namespace {

namespace tosa = mlir::tosa;
using mlir::Operation;
using mlir::Value;

constexpr uint8_t kImmediate = uint8_t(Source::IMM);

/// The graph's number is source + offset, or constant alone.
struct Term {
  uint8_t source = 0;
  int64_t offset = 0;
  std::optional<int64_t> constant;
  bool saturated = true; ///< false: int8 in the graph, but not yet clamped to its range
};

class Writer {
public:
  explicit Writer(std::vector<ProgramInput> inputs) : inputs(std::move(inputs)) {}

  Expected<ElementwiseLayer> run(Value result, int32_t outputZeroPoint) {
    auto term = eval(result);
    if (!term)
      return tl::unexpected(term.error());
    // Storing saturates, so what only the store would clamp need not be clamped before.
    if (term->constant)
      emit(MicroOpcode::MOV, kImmediate, 0, int32_t(*term->constant - outputZeroPoint));
    else if (term->offset != outputZeroPoint) {
      auto raw = saturate(*term);
      emit(MicroOpcode::ADD, raw.source, kImmediate, int32_t(raw.offset - outputZeroPoint));
    } else if (layer.program.empty() || layer.program.back().dst != term->source)
      emit(MicroOpcode::MOV, term->source);
    if (layer.program.size() > kMaxMicroOps)
      return fail("{} micro-ops exceed {}", layer.program.size(), kMaxMicroOps);
    return std::move(layer);
  }

private:
  uint8_t emit(MicroOpcode op, uint8_t a, uint8_t b = 0, int32_t immediate = 0,
               uint8_t option = 0) {
    const uint8_t dst = registers++ & 15;
    layer.program.push_back(microOp(op, dst, a, b, immediate, option));
    return dst;
  }

  Term saturate(Term term) {
    if (term.saturated)
      return term;
    return clamp(term, -128, 127);
  }
  Term clamp(Term term, int64_t low, int64_t high) {
    const auto bound = [&](int64_t value) { return uint32_t(uint16_t(value - term.offset)); };
    term.source = emit(MicroOpcode::CLAMP, term.source, 0, int32_t(bound(low) | bound(high) << 16));
    term.saturated = true;
    return term;
  }

  /// A source that holds exactly the graph's number less \p zeroPoint.
  uint8_t exact(Term term, int64_t zeroPoint) {
    if (term.constant)
      return emit(MicroOpcode::MOV, kImmediate, 0, int32_t(*term.constant - zeroPoint));
    term = saturate(term);
    if (term.offset == zeroPoint)
      return term.source;
    return emit(MicroOpcode::ADD, term.source, kImmediate, int32_t(term.offset - zeroPoint));
  }

  Expected<Term> eval(Value value) {
    if (auto found = done.find(value); found != done.end())
      return found->second;
    auto term = compute(value);
    if (term)
      done[value] = *term;
    return term;
  }

  Expected<Term> compute(Value value) {
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].value == value)
        return Term{uint8_t(i ? Source::B : Source::A), inputs[i].zeroPoint, {}, true};
    if (isConstant(value)) {
      if (auto splat = splatOf(value))
        return Term{0, 0, *splat, true};
      return fail("a constant operand with more than one value");
    }
    Operation *op = value.getDefiningOp();
    if (!op)
      return fail("an operand from outside");
    if (auto rescale = readRescale(op))
      return rescaled(*rescale);
    if (auto table = llvm::dyn_cast<tosa::TableOp>(op))
      return looked(table);
    int64_t low = INT32_MIN, high = INT32_MAX;
    if (readClamp(op, low, high)) {
      auto input = eval(op->getOperand(0));
      if (!input || low < -128 || high > 127)
        return input ? fail("a clamp of 32 bits") : std::move(input);
      return clamp(input->constant ? Term{exact(*input, 0), 0, {}, true} : *input, low, high);
    }
    return binary(op);
  }

  Expected<Term> rescaled(const RescaleParse &rescale) {
    tosa::RescaleOp op = rescale.op;
    auto input = eval(op.getInput());
    if (!input)
      return input;
    auto multiplier = splatOf(op.getMultiplier()), shift = splatOf(op.getShift());
    if (!multiplier || !shift)
      return fail("a rescale by channels");
    Term result;
    result.source = exact(*input, rescale.inputZeroPoint);
    result.offset = rescale.outputZeroPoint;
    result.saturated = !isInteger(op.getOutput(), 8);
    if (!isInteger(op.getOutput(), 8) && rescale.outputZeroPoint != 0)
      return fail("a zero point of 32 bits");
    if (*multiplier == 1 << 30 && *shift < 30)
      result.source = emit(MicroOpcode::SHL, result.source, kImmediate, int32_t(30 - *shift));
    else if (*multiplier != 1 << 30 || *shift != 30)
      result.source = emit(
          MicroOpcode::RESCALE, result.source, uint8_t(*shift), int32_t(*multiplier),
          op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND ? uint8_t(MicroOption::DOUBLE)
                                                                   : 0);
    return result;
  }

  Expected<Term> looked(tosa::TableOp op) {
    auto input = eval(op->getOperand(0));
    auto entries = constantOf(op->getOperand(1));
    if (!input || !entries || entries->size() != 256)
      return input ? fail("a table that is not 256 constants") : std::move(input);
    const size_t at = layer.tables.size();
    for (int64_t entry : *entries)
      layer.tables.push_back(uint8_t(entry));
    return Term{emit(MicroOpcode::LUT8, exact(*input, 0), 0, int32_t(at)), 0, {}, true};
  }

  static std::optional<MicroOpcode> opcodeOf(Operation *op) {
    if (llvm::isa<tosa::AddOp>(op))
      return MicroOpcode::ADD;
    if (llvm::isa<tosa::SubOp>(op))
      return MicroOpcode::SUB;
    if (auto mul = llvm::dyn_cast<tosa::MulOp>(op))
      return splatOf(mul.getShift()) == 0 ? std::optional(MicroOpcode::MUL) : std::nullopt;
    if (llvm::isa<tosa::MaximumOp>(op))
      return MicroOpcode::MAX;
    if (llvm::isa<tosa::MinimumOp>(op))
      return MicroOpcode::MIN;
    return std::nullopt;
  }

  Expected<Term> binary(Operation *op) {
    const auto opcode = opcodeOf(op);
    const bool isOrder = opcode == MicroOpcode::MAX || opcode == MicroOpcode::MIN;
    if (!opcode || (!isOrder && !isInteger(op->getResult(0), 32)))
      return fail("{} has no micro-op", op->getName().getStringRef().str());
    auto a = eval(op->getOperand(0)), b = a ? eval(op->getOperand(1)) : a;
    if (!b)
      return b;
    const int64_t common = isOrder && !a->constant ? a->offset : 0;
    const uint8_t left = exact(*a, common);
    Term result{0, common, {}, true};
    if (b->constant)
      result.source = emit(*opcode, left, kImmediate, int32_t(*b->constant - common));
    else
      result.source = emit(*opcode, left, exact(*b, common));
    return result;
  }

  std::vector<ProgramInput> inputs;
  ElementwiseLayer layer;
  llvm::DenseMap<Value, Term> done;
  unsigned registers = 0;
};

} // namespace

Expected<ElementwiseLayer> makeProgram(Value result, std::vector<ProgramInput> inputs,
                                       int32_t outputZeroPoint) {
  return Writer(std::move(inputs)).run(result, outputZeroPoint);
}

} // namespace tenon::mortise
