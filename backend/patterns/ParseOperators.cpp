// SPDX-License-Identifier: Apache-2.0
// Recognises pooling, means, element-wise operators and those that only move bytes.
#include "backend/patterns/Parsed.h"
#include "ir/TenonDialect.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::patterns {
namespace {

namespace tosa = mlir::tosa;
using mlir::Operation;
using mlir::Value;

Parsed parsedOf(Operation *root) {
  Parsed parsed;
  parsed.operators.push_back(root);
  parsed.result = root->getResult(0);
  addExtents(parsed, parsed.result);
  for (Value operand : root->getOperands())
    if (!isConstant(operand) && llvm::isa<mlir::RankedTensorType>(operand.getType()))
      addExtents(parsed, operand);
  return parsed;
}

bool isAllI8(Operation *op, unsigned inputs) {
  return op->getNumResults() == 1 && isInteger(op->getResult(0), 8) &&
         llvm::all_of(op->getOperands().take_front(inputs),
                      [](Value value) { return isInteger(value, 8); });
}

/// A frontend's composite of this name, one tensor to one.
ir::CompositeOp compositeNamed(Operation *op, llvm::StringRef name) {
  auto composite = llvm::dyn_cast<ir::CompositeOp>(op);
  return composite && composite.getName() == name && composite.getParameters() &&
                 composite->getNumOperands() == 1 && isAllI8(op, 1)
             ? composite
             : ir::CompositeOp();
}

std::vector<int64_t> parameter(ir::CompositeOp composite, llvm::StringRef name) {
  return integersOf(composite.getParameters()->get(name));
}

template <size_t N> bool assign(std::array<int64_t, N> &to, const std::vector<int64_t> &from) {
  if (from.size() != N)
    return false;
  std::copy(from.begin(), from.end(), to.begin());
  return true;
}

void addPoolFindings(Parsed &parsed, const PoolParse &pool) {
  parsed.findings.push_back({"kernel", std::max(pool.kernel[0], pool.kernel[1]), ""});
  parsed.findings.push_back({"stride", std::max(pool.stride[0], pool.stride[1]), ""});
  parsed.findings.push_back({"padding", *llvm::max_element(pool.pad), ""});
  parsed.findings.push_back({"batch", batchOf(pool.input), ""});
}

bool isElementwise(Operation *op) {
  return llvm::isa<tosa::AddOp, tosa::SubOp, tosa::MulOp, tosa::MaximumOp, tosa::MinimumOp,
                   tosa::ClampOp, tosa::TableOp>(op) ||
         readRescale(op);
}

} // namespace

void addExtents(Parsed &parsed, Value value) {
  const Extents extents = extentsOf(value);
  parsed.findings.push_back({"channels", extents.c, ""});
  parsed.findings.push_back({"extent", std::max(extents.h, extents.w), ""});
}

std::optional<RescaleParse> readRescale(Operation *op) {
  auto rescale = llvm::dyn_cast<tosa::RescaleOp>(op);
  if (!rescale || !rescale.getScale32() || rescale.getInputUnsigned() ||
      rescale.getOutputUnsigned() ||
      rescale.getRoundingMode() == tosa::RoundingMode::INEXACT_ROUND ||
      !constantOf(rescale.getMultiplier()) || !constantOf(rescale.getShift()))
    return std::nullopt;
  auto input = splatOf(rescale.getInputZp()), output = splatOf(rescale.getOutputZp());
  if (!input || !output)
    return std::nullopt;
  return RescaleParse{rescale, *input, *output};
}

bool readClamp(Operation *op, int64_t &low, int64_t &high) {
  auto clamp = llvm::dyn_cast<tosa::ClampOp>(op);
  auto min = clamp ? llvm::dyn_cast<mlir::IntegerAttr>(clamp.getMinVal()) : mlir::IntegerAttr();
  auto max = clamp ? llvm::dyn_cast<mlir::IntegerAttr>(clamp.getMaxVal()) : mlir::IntegerAttr();
  if (!min || !max)
    return false;
  low = std::max(low, min.getValue().getSExtValue());
  high = std::min(high, max.getValue().getSExtValue());
  return true;
}

std::optional<Parsed> parseMaxPool(Operation *root) {
  PoolParse pool;
  Operation *op = root;
  if (readClamp(root, pool.low, pool.high)) {
    op = root->getOperand(0).getDefiningOp();
    if (!op || !sameUnit(op, root))
      return std::nullopt;
  }
  auto max = llvm::dyn_cast<tosa::MaxPool2dOp>(op);
  if (!max || !isAllI8(op, 1))
    return std::nullopt;
  Parsed parsed = parsedOf(op);
  if (op != root)
    parsed.operators.insert(parsed.operators.begin(), root);
  parsed.result = root->getResult(0);
  pool.input = max.getInput();
  for (unsigned i = 0; i < 2; ++i)
    pool.kernel[i] = max.getKernel()[i], pool.stride[i] = max.getStride()[i];
  for (unsigned i = 0; i < 4; ++i)
    pool.pad[i] = max.getPad()[i];
  addPoolFindings(parsed, pool);
  parsed.work = pool;
  return parsed;
}

std::optional<Parsed> parseAveragePool(Operation *root) {
  auto composite = compositeNamed(root, "tenon.avg_pool2d");
  if (!composite)
    return std::nullopt;
  PoolParse pool;
  pool.average = true;
  pool.input = composite->getOperand(0);
  std::array<int64_t, 2> clamp{-128, 127};
  std::array<int64_t, 1> zero{};
  if (!assign(pool.kernel, parameter(composite, "kernel")) ||
      !assign(pool.stride, parameter(composite, "stride")) ||
      !assign(pool.pad, parameter(composite, "pad")) ||
      !assign(zero, parameter(composite, "input_zp")))
    return std::nullopt;
  assign(clamp, parameter(composite, "clamp"));
  pool.low = std::max<int64_t>(-128, clamp[0]), pool.high = std::min<int64_t>(127, clamp[1]);
  pool.inputZeroPoint = zero[0];
  auto origin = composite.getParameters()->getAs<mlir::StringAttr>("origin");
  pool.unsignedOrigin = origin && origin.getValue() == "uint8";
  Parsed parsed = parsedOf(root);
  addPoolFindings(parsed, pool);
  parsed.work = pool;
  return parsed;
}

std::optional<Parsed> parseMean(Operation *root) {
  auto composite = compositeNamed(root, "tenon.mean");
  if (!composite)
    return std::nullopt;
  MeanParse mean;
  std::array<int64_t, 1> inZero{}, outZero{}, multiplier{}, shift{};
  if (!assign(inZero, parameter(composite, "input_zp")) ||
      !assign(outZero, parameter(composite, "output_zp")) ||
      !assign(multiplier, parameter(composite, "multiplier")) ||
      !assign(shift, parameter(composite, "shift")))
    return std::nullopt;
  mean.input = composite->getOperand(0);
  mean.inputZeroPoint = inZero[0], mean.outputZeroPoint = outZero[0];
  mean.multiplier = multiplier[0], mean.shift = shift[0];
  Parsed parsed = parsedOf(root);
  const auto shape = shapeOf(mean.input);
  const int64_t rank = shape.size();
  for (int64_t axis : parameter(composite, "axes")) {
    const int64_t fromRight = rank - 1 - (axis < 0 ? axis + rank : axis);
    if (fromRight == 0)
      mean.overChannels = true;
    else if (fromRight == 1)
      mean.overColumns = true;
    else if (fromRight == 2)
      mean.overRows = true;
    else if (shape[axis < 0 ? axis + rank : axis] != 1)
      parsed.findings.push_back({"mean", 0, "over the batch"});
  }
  if (mean.overRows)
    parsed.findings.push_back({"batch", batchOf(mean.input), ""});
  parsed.findings.push_back({"shift", mean.shift, ""});
  parsed.work = mean;
  return parsed;
}

std::optional<Parsed> parseSoftmax(Operation *root) {
  auto composite = compositeNamed(root, "tenon.softmax");
  if (!composite)
    return std::nullopt;
  SoftmaxParse softmax;
  softmax.input = composite->getOperand(0);
  for (int64_t entry : parameter(composite, "table"))
    softmax.table.push_back(int32_t(entry));
  if (softmax.table.size() != 256)
    return std::nullopt;
  Parsed parsed = parsedOf(root);
  // Beyond, the sum of exponentials no longer fits its 12 integer bits.
  parsed.findings.push_back({"softmax", extentsOf(softmax.input).c, ""});
  parsed.work = std::move(softmax);
  return parsed;
}

std::optional<Parsed> parseElementwise(Operation *root) {
  if (!isElementwise(root) || !isInteger(root->getResult(0), 8))
    return std::nullopt;
  Parsed parsed = parsedOf(root);
  ElementwiseParse work;
  llvm::SetVector<Operation *> operators;
  llvm::SetVector<Value> inputs;
  operators.insert(root);
  for (size_t i = 0; i < operators.size(); ++i)
    for (Value operand : operators[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (isConstant(operand))
        continue;
      if (producer && isElementwise(producer) && sameUnit(producer, root))
        operators.insert(producer);
      else
        inputs.insert(operand);
    }
  if (!llvm::all_of(inputs, [](Value value) { return isInteger(value, 8); }))
    return std::nullopt;
  parsed.operators.assign(operators.begin(), operators.end());
  work.inputs.assign(inputs.begin(), inputs.end());
  parsed.findings.push_back({"operands", int64_t(inputs.size()), ""});
  parsed.work = work;
  return parsed;
}

std::optional<Parsed> parseConcat(Operation *root) {
  auto concat = llvm::dyn_cast<tosa::ConcatOp>(root);
  if (!concat || !isAllI8(root, root->getNumOperands()))
    return std::nullopt;
  Parsed parsed = parsedOf(root);
  CopyParse work;
  const auto shape = shapeOf(root->getResult(0));
  llvm::SmallVector<int64_t> at(shape.size(), 0);
  for (Value input : root->getOperands()) {
    if (isConstant(input))
      parsed.findings.push_back({"operand", 0, "constant"});
    // Every part's rows must be contiguous, the first one's too.
    llvm::SmallVector<int64_t> probe = at;
    probe[concat.getAxis()] = std::max<int64_t>(1, probe[concat.getAxis()]);
    auto to = foldAmounts(at, shape);
    if (!to || !foldAmounts(probe, shape)) {
      parsed.findings.push_back({"axis", 0, "axis " + std::to_string(concat.getAxis())});
      to.emplace();
    }
    const Extents extents = extentsOf(input);
    work.parts.push_back({input, {}, *to, {extents.h, extents.w, extents.c}});
    at[concat.getAxis()] += shapeOf(input)[concat.getAxis()];
  }
  parsed.work = std::move(work);
  return parsed;
}

std::optional<Parsed> parsePad(Operation *root) {
  auto pad = llvm::dyn_cast<tosa::PadOp>(root);
  if (!pad || !isAllI8(root, 1))
    return std::nullopt;
  auto amounts = constantOf(pad->getOperand(1));
  auto value = splatOf(pad->getOperand(2));
  if (!amounts || !value)
    return std::nullopt;
  Parsed parsed = parsedOf(root);
  CopyParse work;
  const auto shape = shapeOf(root->getResult(0));
  llvm::SmallVector<int64_t> before, any;
  for (size_t i = 0; i < shape.size(); ++i) {
    before.push_back((*amounts)[2 * i]);
    any.push_back((*amounts)[2 * i] + (*amounts)[2 * i + 1]);
  }
  auto to = foldAmounts(before, shape);
  if (!to || !foldAmounts(any, shape)) {
    parsed.findings.push_back({"axis", 0, "padding inside a batch"});
    to.emplace();
  }
  const Extents extents = extentsOf(root->getOperand(0));
  work.parts.push_back({root->getOperand(0), {}, *to, {extents.h, extents.w, extents.c}});
  work.fill = value;
  parsed.work = std::move(work);
  return parsed;
}

std::optional<Parsed> parseSlice(Operation *root) {
  if (!llvm::isa<tosa::SliceOp>(root) || !isAllI8(root, 1))
    return std::nullopt;
  auto start = constantOf(root->getOperand(1));
  if (!start)
    return std::nullopt;
  Parsed parsed = parsedOf(root);
  CopyParse work;
  const auto shape = shapeOf(root->getOperand(0));
  llvm::SmallVector<int64_t> cut;
  for (size_t i = 0; i < shape.size(); ++i)
    cut.push_back(shape[i] - shapeOf(root->getResult(0))[i]);
  auto from = foldAmounts(*start, shape);
  if (!from || !foldAmounts(cut, shape)) {
    parsed.findings.push_back({"axis", 0, "a cut inside a batch"});
    from.emplace();
  }
  const Extents extents = extentsOf(root->getResult(0));
  work.parts.push_back({root->getOperand(0), *from, {}, {extents.h, extents.w, extents.c}});
  parsed.work = std::move(work);
  return parsed;
}

std::optional<Parsed> parseReshape(Operation *root) {
  if (!llvm::isa<tosa::ReshapeOp>(root) || !isAllI8(root, 1) || isConstant(root->getOperand(0)))
    return std::nullopt;
  Parsed parsed = parsedOf(root);
  parsed.work = ReshapeParse{root->getOperand(0)};
  return parsed;
}

std::optional<Parsed> parseEdgeCast(Operation *root) {
  auto cast = llvm::dyn_cast<tosa::RescaleOp>(root);
  if (!cast || cast.getInputUnsigned() == cast.getOutputUnsigned() || !isAllI8(root, 1) ||
      splatOf(cast.getMultiplier()) != 1 << 30 || splatOf(cast.getShift()) != 30)
    return std::nullopt;
  const bool incoming = cast.getInputUnsigned();
  // 128 reads as -128 where its type is signless i8.
  if ((splatOf(cast.getInputZp()).value_or(1) & 255) != (incoming ? 128 : 0) ||
      (splatOf(cast.getOutputZp()).value_or(1) & 255) != (incoming ? 0 : 128))
    return std::nullopt;
  if (incoming ? !llvm::isa<mlir::BlockArgument>(cast.getInput())
               : !llvm::all_of(cast->getUsers(), [](Operation *user) {
                   return user->hasTrait<mlir::OpTrait::IsTerminator>();
                 }))
    return std::nullopt;
  Parsed parsed = parsedOf(root);
  parsed.work = EdgeCastParse{cast.getInput(), incoming};
  return parsed;
}

} // namespace tenon::patterns
