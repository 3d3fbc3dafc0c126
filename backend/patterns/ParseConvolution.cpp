// SPDX-License-Identifier: Apache-2.0
// Recognises convolutions with what may be fused around them.
#include "backend/patterns/Parsed.h"

namespace tenon::patterns {
namespace {

namespace tosa = mlir::tosa;
using mlir::Operation;
using mlir::Value;

/// Walks up from a value through the operators of one convolution.
class Walk {
public:
  Walk(ConvolutionKind kind, Fusion fusion) : kind(kind), fusion(fusion) {}

  std::optional<Parsed> run(Operation *root) {
    parsed.result = root->getResult(0);
    Value end = parsed.result;
    if (fusion.table && !takeTable(end))
      return std::nullopt;
    if (fusion.add ? !takeAdd(end) : !takeConvolution(end))
      return std::nullopt;
    addFindings();
    parsed.work = conv;
    return std::move(parsed);
  }

private:
  Operation *take(Value value) {
    Operation *op = value.getDefiningOp();
    parsed.operators.push_back(op);
    return op;
  }

  bool takeTable(Value &end) {
    auto table = end.getDefiningOp<tosa::TableOp>();
    if (!table || !isInteger(end, 8) || !isInteger(table->getOperand(0), 8) ||
        !isConstant(table->getOperand(1)))
      return false;
    take(end);
    conv.table = table->getOperand(1);
    end = table->getOperand(0);
    return true;
  }

  std::optional<RescaleParse> takeRescale(Value &end, int64_t &low, int64_t &high) {
    return takeOutputRescale(end, low, high, parsed.operators);
  }

  bool takeAdd(Value end) {
    AddParse add;
    auto result = takeRescale(end, add.low, add.high);
    Operation *sum = end.getDefiningOp();
    if (!result || !sum || !llvm::isa<tosa::AddOp, tosa::SubOp>(sum) || result->inputZeroPoint != 0)
      return false;
    take(end);
    auto first = readSumSide(sum->getOperand(0)), second = readSumSide(sum->getOperand(1));
    if (!first || !second || first->leftShift != second->leftShift ||
        first->tensor == second->tensor || shapeOf(first->tensor) != shapeOf(second->tensor))
      return false;
    llvm::append_range(parsed.operators, first->operators);
    llvm::append_range(parsed.operators, second->operators);
    const size_t before = parsed.operators.size();
    for (bool swap : {false, true}) {
      SumSide &main = swap ? *second : *first, &other = swap ? *first : *second;
      add.subtract = llvm::isa<tosa::SubOp>(sum);
      add.firstIsOther = swap;
      add.convolved = main.tensor, add.operand = other.tensor;
      add.leftShift = main.leftShift;
      add.main = main.scale, add.other = other.scale, add.result = *result;
      add.convolvedZeroPoint = main.zeroPoint, add.operandZeroPoint = other.zeroPoint;
      if (main.tensor.hasOneUse() && takeConvolution(main.tensor) &&
          conv.rescale.outputZeroPoint == add.convolvedZeroPoint && roundsAlike(add)) {
        conv.add = add;
        return true;
      }
      parsed.operators.resize(before);
    }
    return false;
  }

  /// What fuses an addition has one rounding for all its rescales.
  bool roundsAlike(const AddParse &add) {
    const auto mode = conv.rescale.op.getRoundingMode();
    return llvm::all_of(std::array{add.main.op, add.other.op, add.result.op},
                        [&](tosa::RescaleOp op) { return op.getRoundingMode() == mode; });
  }

  bool takeConvolution(Value end) {
    Operation *top = end.getDefiningOp();
    if (!top)
      return false;
    conv.low = -128, conv.high = 127;
    if (kind == ConvolutionKind::FullyConnected) {
      if (!llvm::isa<tosa::ReshapeOp>(top))
        return false;
      take(end);
      end = top->getOperand(0);
    }
    auto rescale = takeRescale(end, conv.low, conv.high);
    if (!rescale || rescale->inputZeroPoint != 0 || !end.getDefiningOp() ||
        !sameUnit(rescale->op, end.getDefiningOp()))
      return false;
    conv.rescale = *rescale;
    return readConvolution(end) && takeInput();
  }

  bool readConvolution(Value end) {
    conv.depthwise = kind == ConvolutionKind::Depthwise;
    conv.convolution = end.getDefiningOp();
    conv.fullyConnected = kind == ConvolutionKind::FullyConnected;
    auto plain = llvm::dyn_cast<tosa::Conv2DOp>(conv.convolution);
    auto depthwise = llvm::dyn_cast<tosa::DepthwiseConv2DOp>(conv.convolution);
    if (conv.depthwise ? !depthwise : !plain)
      return false;
    if (!isInteger(conv.convolution->getOperand(0), 8) ||
        !isInteger(conv.convolution->getOperand(1), 8))
      return false;
    if (plain)
      readFigures(plain, 1);
    else
      readFigures(depthwise, 0);
    take(end);
    conv.input = conv.convolution->getOperand(0);
    return true;
  }

  template <typename Op> void readFigures(Op op, unsigned kernelAt) {
    const auto weights = shapeOf(op.getWeight());
    conv.kernel = {weights[kernelAt], weights[kernelAt + 1]};
    for (unsigned i = 0; i < 2; ++i) {
      conv.stride[i] = op.getStride()[i];
      conv.dilation[i] = op.getDilation()[i];
    }
    for (unsigned i = 0; i < 4; ++i)
      conv.pad[i] = op.getPad()[i];
  }

  /// What stands before the convolution and costs nothing there.
  bool takeInput() {
    if (auto slice = conv.input.getDefiningOp<tosa::SliceOp>())
      if (sameUnit(slice, conv.convolution) && cutsOnlyEnds(slice)) {
        take(conv.input);
        conv.input = slice->getOperand(0);
      }
    if (fusion.pad && !takePad())
      return false;
    conv.inputExtents = extentsOf(conv.input);
    auto reshape = conv.input.getDefiningOp<tosa::ReshapeOp>();
    if (reshape && sameUnit(reshape, conv.convolution) && !isConstant(reshape->getOperand(0))) {
      take(conv.input);
      conv.input = reshape->getOperand(0);
    }
    return true;
  }

  /// Rows and columns at the end that no window reads: windows simply never get there.
  bool cutsOnlyEnds(tosa::SliceOp slice) const {
    auto start = constantOf(slice->getOperand(1)), size = constantOf(slice->getOperand(2));
    const auto whole = shapeOf(slice->getOperand(0));
    return start && size && whole.size() == 4 &&
           llvm::all_of(*start, [](int64_t s) { return !s; }) && (*size)[0] == whole[0] &&
           (*size)[3] == whole[3] && ((*size)[1] == whole[1] || conv.pad[1] == 0) &&
           ((*size)[2] == whole[2] || conv.pad[3] == 0);
  }

  bool takePad() {
    auto pad = conv.input.getDefiningOp<tosa::PadOp>();
    auto amounts = pad ? constantOf(pad->getOperand(1)) : std::nullopt;
    if (!amounts || amounts->size() != 8 || (*amounts)[0] || (*amounts)[1] || (*amounts)[6] ||
        (*amounts)[7] || llvm::any_of(*amounts, [](int64_t amount) { return amount < 0; }))
      return false;
    const auto value = splatOf(pad->getOperand(2)), zero = splatOf(conv.convolution->getOperand(3));
    if (!value || value != zero)
      return false;
    take(conv.input);
    for (unsigned i = 0; i < 4; ++i)
      conv.pad[i] += (*amounts)[2 + i];
    conv.input = pad->getOperand(0);
    return true;
  }

  void require(mlir::Value value, const char *rule) {
    if (!constantOf(value))
      parsed.findings.push_back({rule, 0, "computed"});
  }

  void addFindings() {
    auto &list = parsed.findings;
    auto *op = conv.convolution;
    require(op->getOperand(1), "weights");
    require(op->getOperand(2), "bias");
    require(op->getOperand(3), "zero_point");
    require(op->getOperand(4), "zero_point");
    list.push_back({"kernel", std::max(conv.kernel[0], conv.kernel[1]), ""});
    list.push_back({"stride", std::max(conv.stride[0], conv.stride[1]), ""});
    list.push_back({"dilation", std::max(conv.dilation[0], conv.dilation[1]), ""});
    list.push_back({"padding", *llvm::max_element(conv.pad), ""});
    if (conv.depthwise)
      list.push_back({"channel_multiplier", shapeOf(op->getOperand(1))[3], ""});
    const bool pointwise = conv.kernel[0] * conv.kernel[1] * conv.stride[0] * conv.stride[1] == 1 &&
                           llvm::all_of(conv.pad, [](int64_t amount) { return amount == 0; });
    if (!pointwise)
      list.push_back({"batch", shapeOf(op->getOperand(0))[0], ""});
    addExtents(parsed, op->getOperand(0));
    addExtents(parsed, op->getResult(0));
  }

  ConvolutionKind kind;
  Fusion fusion;
  Parsed parsed;
  ConvolutionParse conv;
};

} // namespace

std::optional<Parsed> parseConvolution(Operation *root, ConvolutionKind kind, Fusion fusion) {
  if (!llvm::isa<tosa::TableOp, tosa::ClampOp, tosa::RescaleOp, tosa::ReshapeOp>(root))
    return std::nullopt;
  return Walk(kind, fusion).run(root);
}

} // namespace tenon::patterns
