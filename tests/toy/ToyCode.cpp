// SPDX-License-Identifier: Apache-2.0
// TOSA in composites to commands of the toy's machine.
#include "ToyCode.h"

#include "ir/TenonDialect.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

namespace tenon::toy {
namespace {

using mlir::Value;

class Emitter {
public:
  Expected<ToyCode> emit(mlir::func::FuncOp function) {
    mlir::Block &block = function.getBody().front();
    std::vector<uint32_t> inputs, outputs;
    for (Value argument : block.getArguments())
      addEdge(argument, inputs);
    if (auto ok = emitBlock(block); !ok)
      return tl::unexpected(ok.error());
    for (Value result : block.getTerminator()->getOperands())
      addEdge(result, outputs);
    return ToyCode{assemble(inputs, outputs), std::move(constants)};
  }

private:
  static llvm::ArrayRef<int64_t> shapeOf(Value value) {
    return llvm::cast<mlir::ShapedType>(value.getType()).getShape();
  }

  uint32_t numberOf(Value value) {
    auto [found, isNew] = numbers.try_emplace(value, counts.size());
    if (isNew)
      counts.push_back(llvm::cast<mlir::ShapedType>(value.getType()).getNumElements());
    return found->second;
  }

  void addEdge(Value value, std::vector<uint32_t> &edges) {
    edges.push_back(numberOf(value));
    edges.push_back(llvm::cast<mlir::ShapedType>(value.getType()).getElementTypeBitWidth() / 8);
  }

  Bytes assemble(const std::vector<uint32_t> &inputs, const std::vector<uint32_t> &outputs) {
    std::vector<uint32_t> words = {kMagic};
    auto addList = [&](const std::vector<uint32_t> &list, size_t width) {
      words.push_back(list.size() / width);
      words.insert(words.end(), list.begin(), list.end());
    };
    addList(counts, 1);
    addList(inputs, 2);
    addList(outputs, 2);
    addList(commands, kCommandWords);
    Bytes bytes;
    for (uint32_t word : words)
      append(bytes, word);
    return bytes;
  }

  void add(Op op, Value result, mlir::ValueRange operands,
           llvm::ArrayRef<int64_t> parameters = {}) {
    std::vector<uint32_t> words = {uint32_t(op), numberOf(result)};
    for (Value operand : operands)
      words.push_back(numberOf(operand));
    words.resize(4);
    for (int64_t parameter : parameters)
      words.push_back(uint32_t(parameter));
    words.resize(kCommandWords);
    commands.insert(commands.end(), words.begin(), words.end());
  }

  Expected<void> emitBlock(mlir::Block &block) {
    for (mlir::Operation &op : block.without_terminator())
      if (auto ok = emitOne(&op); !ok)
        return ok;
    return {};
  }

  Expected<void> emitOne(mlir::Operation *op) {
    if (auto composite = llvm::dyn_cast<ir::CompositeOp>(op))
      return emitComposite(composite);
    if (op->hasTrait<mlir::OpTrait::ConstantLike>())
      return {};
    for (Value operand : op->getOperands())
      if (auto ok = emitConstant(operand); !ok)
        return ok;
    Value result = op->getResult(0);
    if (auto pool = llvm::dyn_cast<mlir::tosa::MaxPool2dOp>(op))
      return emitPool(pool);
    if (auto rescale = llvm::dyn_cast<mlir::tosa::RescaleOp>(op))
      return emitRescale(rescale);
    if (auto clamp = llvm::dyn_cast<mlir::tosa::ClampOp>(op))
      return emitClamp(clamp);
    for (Value operand : op->getOperands())
      if (shapeOf(operand) != shapeOf(result))
        return refuse(op, "broadcasts");
    if (llvm::isa<mlir::tosa::AddOp>(op))
      add(Op::Add, result, op->getOperands());
    else if (llvm::isa<mlir::tosa::SubOp>(op))
      add(Op::Sub, result, op->getOperands());
    else if (llvm::isa<mlir::tosa::AbsOp>(op))
      add(Op::Abs, result, op->getOperands());
    else if (llvm::isa<mlir::tosa::BitwiseNotOp>(op))
      add(Op::Not, result, op->getOperands());
    else
      return refuse(op, "no command");
    return {};
  }

  static tl::unexpected<Error> refuse(mlir::Operation *op, const char *reason) {
    return fail("{}: {}", op->getName().getStringRef().str(), reason);
  }

  Expected<void> emitComposite(ir::CompositeOp composite) {
    mlir::Block &body = composite.getBody().front();
    for (auto [argument, input] : llvm::zip(body.getArguments(), composite.getInputs()))
      numbers[argument] = numberOf(input);
    if (auto ok = emitBlock(body); !ok)
      return ok;
    for (auto [result, yielded] :
         llvm::zip(composite.getOutputs(), body.getTerminator()->getOperands())) {
      if (auto ok = emitConstant(yielded); !ok)
        return ok;
      numbers[result] = numberOf(yielded);
    }
    return {};
  }

  /// Constants are put down when something computes with them; parameters never are.
  Expected<void> emitConstant(Value value) {
    auto constant = value.getDefiningOp<mlir::tosa::ConstOp>();
    if (!constant || numbers.contains(value) || shapeOf(value).size() < 2)
      return {};
    const int64_t offset = constants.size();
    auto elements = llvm::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValues());
    if (!elements)
      return refuse(constant, "only integers");
    for (const llvm::APInt &element : elements.getValues<llvm::APInt>())
      append(constants, int32_t(element.getSExtValue()));
    add(Op::Constant, value, {}, {offset});
    return {};
  }

  static std::optional<int64_t> scalarOf(Value value) {
    mlir::DenseIntElementsAttr elements;
    if (!mlir::matchPattern(value, mlir::m_Constant(&elements)) || elements.getNumElements() != 1)
      return std::nullopt;
    return (*elements.begin()).getSExtValue();
  }

  Expected<void> emitRescale(mlir::tosa::RescaleOp op) {
    auto multiplier = scalarOf(op.getMultiplier()), shift = scalarOf(op.getShift());
    auto inputZero = scalarOf(op.getInputZp()), outputZero = scalarOf(op.getOutputZp());
    if (!multiplier || !shift || !inputZero || !outputZero || op.getInputUnsigned() ||
        op.getOutputUnsigned())
      return refuse(op, "only one signed scale for all channels");
    const unsigned width =
        mlir::getElementTypeOrSelf(op.getOutput().getType()).getIntOrFloatBitWidth();
    add(Op::Rescale, op.getOutput(), op.getInput(),
        {*multiplier, *shift, *inputZero, *outputZero,
         op.getRoundingMode() == mlir::tosa::RoundingMode::DOUBLE_ROUND,
         llvm::APInt::getSignedMinValue(width).getSExtValue(),
         llvm::APInt::getSignedMaxValue(width).getSExtValue()});
    return {};
  }

  Expected<void> emitClamp(mlir::tosa::ClampOp op) {
    auto least = llvm::dyn_cast<mlir::IntegerAttr>(op.getMinVal());
    auto most = llvm::dyn_cast<mlir::IntegerAttr>(op.getMaxVal());
    if (!least || !most)
      return refuse(op, "only integers");
    add(Op::Clamp, op.getOutput(), op.getInput(), {least.getInt(), most.getInt()});
    return {};
  }

  Expected<void> emitPool(mlir::tosa::MaxPool2dOp op) {
    auto in = shapeOf(op.getInput()), out = shapeOf(op.getOutput());
    if (in[0] != 1)
      return refuse(op, "only batch 1");
    auto kernel = op.getKernel(), stride = op.getStride(), pad = op.getPad();
    add(Op::MaxPool, op.getOutput(), op.getInput(),
        {in[1], in[2], in[3], out[1], out[2], kernel[0], kernel[1], stride[0], stride[1], pad[0],
         pad[2]});
    return {};
  }

  llvm::DenseMap<Value, uint32_t> numbers;
  std::vector<uint32_t> counts, commands;
  Bytes constants;
};

} // namespace

Expected<ToyCode> emitCode(mlir::func::FuncOp function) { return Emitter().emit(function); }

} // namespace tenon::toy
