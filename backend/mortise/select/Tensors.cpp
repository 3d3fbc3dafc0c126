// SPDX-License-Identifier: Apache-2.0
// Gives each value of the function a tensor, and function edges their place and type.
#include "backend/mortise/select/Tensors.h"

#include "backend/mortise/select/Constraints.h"
#include "ir/OperatorLocation.h"

namespace tenon::mortise {
namespace {

constexpr int32_t kSignFlip = 128;

std::string nameOf(mlir::Value value, size_t index) {
  if (mlir::Operation *op = value.getDefiningOp())
    if (auto named = ir::getModelOperators(op->getLoc()); !named.empty())
      return named.back().name;
  return "t" + std::to_string(index);
}

} // namespace

mlir::Value Step::outer(mlir::Value inner) const {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(inner))
    return composite->getOperand(argument.getArgNumber());
  return composite->getResult(0);
}

std::vector<int64_t> Step::operators() const {
  std::vector<int64_t> indices;
  for (const ir::ModelOperator &op : ir::getModelOperators(composite->getLoc()))
    indices.push_back(op.index);
  return indices;
}

SelectFailure Step::failure(std::string_view rule, const std::string &value) const {
  return {operators(), refuse(rule, value)};
}

ZeroPoints::ZeroPoints(const std::vector<Step> &steps) {
  for (const Step &step : steps)
    unify(step);
  for (const Step &step : steps)
    state(step);
}

void ZeroPoints::unify(const Step &step) {
  const auto join = [&](mlir::Value input) {
    classes.unionSets(step.outer(input).getAsOpaquePointer(),
                      step.composite->getResult(0).getAsOpaquePointer());
  };
  if (auto *pool = std::get_if<PoolParse>(&step.parsed.work))
    join(pool->input);
  else if (auto *reshape = std::get_if<ReshapeParse>(&step.parsed.work))
    join(reshape->input);
  else if (auto *cast = std::get_if<EdgeCastParse>(&step.parsed.work))
    join(cast->input);
  else if (auto *copy = std::get_if<CopyParse>(&step.parsed.work))
    for (const CopyParse::Part &part : copy->parts)
      join(part.input);
}

void ZeroPoints::set(mlir::Value value, int64_t zeroPoint) {
  void *key = value.getAsOpaquePointer();
  byLeader.try_emplace(classes.getOrInsertLeaderValue(key), int32_t(zeroPoint));
}

void ZeroPoints::state(const Step &step) {
  const mlir::Value result = step.composite->getResult(0);
  if (auto *conv = std::get_if<ConvolutionParse>(&step.parsed.work)) {
    set(step.outer(conv->input), splatOf(conv->convolution->getOperand(3)).value_or(0));
    if (conv->add) {
      set(step.outer(conv->add->operand), conv->add->operandZeroPoint);
      set(result, conv->add->result.outputZeroPoint);
    } else if (!conv->table)
      set(result, conv->rescale.outputZeroPoint);
  } else if (auto *pool = std::get_if<PoolParse>(&step.parsed.work)) {
    if (pool->inputZeroPoint)
      set(step.outer(pool->input), *pool->inputZeroPoint);
  } else if (auto *mean = std::get_if<MeanParse>(&step.parsed.work)) {
    set(step.outer(mean->input), mean->inputZeroPoint);
    set(result, mean->outputZeroPoint);
  } else if (auto *copy = std::get_if<CopyParse>(&step.parsed.work)) {
    if (copy->fill)
      set(result, *copy->fill);
  } else if (std::holds_alternative<SoftmaxParse>(step.parsed.work))
    set(result, -128);
  else if (std::holds_alternative<ElementwiseParse>(step.parsed.work))
    for (mlir::Operation *op : llvm::reverse(step.parsed.operators))
      if (auto rescale = readRescale(op)) {
        if (llvm::isa<mlir::BlockArgument>(rescale->op.getInput()))
          set(step.outer(rescale->op.getInput()), rescale->inputZeroPoint);
        mlir::Value end = step.parsed.result;
        if (auto clamp = end.getDefiningOp<mlir::tosa::ClampOp>())
          end = clamp.getInput();
        if (end == rescale->op.getOutput())
          set(result, rescale->outputZeroPoint);
      }
}

int32_t ZeroPoints::of(mlir::Value value) const {
  void *key = value.getAsOpaquePointer();
  auto leader = classes.findLeader(key);
  auto found = byLeader.find(leader == classes.member_end() ? key : *leader);
  return found == byLeader.end() ? 0 : found->second;
}

Tensors::Tensors(mlir::func::FuncOp function, const std::vector<Step> &steps, LayerGraph &graph)
    : graph(graph), zeroPoints(steps) {
  for (const Step &step : steps)
    stepOf[step.composite->getResult(0)] = &step;
  for (mlir::BlockArgument argument : function.getArguments())
    addArgument(argument);
  for (const Step &step : steps)
    addResult(step);
  for (mlir::OpOperand &returned : function.getBody().front().getTerminator()->getOpOperands())
    addOutput(returned);
  copyOwnersToAliases();
}

uint32_t Tensors::add(const std::string &name, Extents extents, DType dtype, int32_t zeroPoint) {
  LayerTensor tensor;
  tensor.name = name;
  tensor.h = extents.h, tensor.w = extents.w, tensor.c = extents.c;
  tensor.dtype = dtype;
  tensor.zeroPoint = zeroPoint;
  graph.tensors.push_back(tensor);
  return graph.tensors.size() - 1;
}

void Tensors::addArgument(mlir::BlockArgument argument) {
  const bool isUnsigned = llvm::any_of(argument.getUsers(), [&](mlir::Operation *user) {
    auto step = user->getNumResults() ? stepOf.lookup(user->getResult(0)) : nullptr;
    auto *cast = step ? std::get_if<EdgeCastParse>(&step->parsed.work) : nullptr;
    return cast && cast->incoming;
  });
  const uint32_t at = add("input" + std::to_string(argument.getArgNumber()), extentsOf(argument),
                          isUnsigned ? DType::U8 : DType::I8,
                          zeroPoints.of(argument) + (isUnsigned ? kSignFlip : 0));
  graph.tensors[at].home = Home::Input;
  graph.tensors[at].edge = argument.getArgNumber();
  graph.inputBytes.push_back(graph.tensors[at].sizeBytes());
  index[argument] = at;
}

void Tensors::addResult(const Step &step) {
  const mlir::Value result = step.composite->getResult(0);
  if (auto *cast = std::get_if<EdgeCastParse>(&step.parsed.work))
    index[result] = of(step.outer(cast->input));
  else if (auto *reshape = std::get_if<ReshapeParse>(&step.parsed.work))
    index[result] = view(of(step.outer(reshape->input)), extentsOf(result));
  else
    index[result] = add(nameOf(result, graph.tensors.size()), extentsOf(result), DType::I8,
                        zeroPoints.of(result));
}

uint32_t Tensors::ownerOf(uint32_t tensor) const {
  return graph.tensors[tensor].aliasOf.value_or(tensor);
}

uint32_t Tensors::view(uint32_t tensor, Extents extents) {
  const LayerTensor &named = graph.tensors[tensor];
  if (Extents{named.h, named.w, named.c} == extents)
    return tensor;
  LayerTensor other = named;
  other.name += "_view";
  other.h = extents.h, other.w = extents.w, other.c = extents.c;
  other.aliasOf = ownerOf(tensor);
  graph.tensors.push_back(other);
  return graph.tensors.size() - 1;
}

/// Does some layer write the tensor of \p source, which nothing but \p returned needs, and in the
/// type that is wanted outside?
bool Tensors::isWrittenFor(mlir::Value source, mlir::OpOperand &returned, bool isUnsigned) const {
  const uint32_t owner = ownerOf(of(source));
  for (auto [value, tensor] : index) {
    if (ownerOf(tensor) != owner)
      continue;
    auto step = stepOf.lookup(value);
    if (!step || (isUnsigned && std::holds_alternative<CopyParse>(step->parsed.work)))
      return false;
    for (mlir::OpOperand &use : value.getUses()) {
      auto user =
          use.getOwner()->getNumResults() ? stepOf.lookup(use.getOwner()->getResult(0)) : nullptr;
      const bool isName = user && (std::holds_alternative<EdgeCastParse>(user->parsed.work) ||
                                   std::holds_alternative<ReshapeParse>(user->parsed.work));
      if (&use != &returned && !isName)
        return false;
    }
  }
  return true;
}

void Tensors::addOutput(mlir::OpOperand &returned) {
  const mlir::Value value = returned.get();
  auto step = stepOf.lookup(value);
  auto *cast = step ? std::get_if<EdgeCastParse>(&step->parsed.work) : nullptr;
  const bool isUnsigned = cast && !cast->incoming;
  const mlir::Value source = isUnsigned ? step->outer(cast->input) : value;
  uint32_t to = ownerOf(of(source));
  if (!isWrittenFor(source, returned, isUnsigned)) {
    to = add("output" + std::to_string(returned.getOperandNumber()), extentsOf(value), DType::I8,
             zeroPoints.of(source));
    copies.push_back({of(source), to});
  }
  LayerTensor &tensor = graph.tensors[to];
  tensor.home = Home::Output;
  tensor.edge = returned.getOperandNumber();
  if (isUnsigned) {
    tensor.dtype = DType::U8;
    tensor.zeroPoint += kSignFlip;
  }
  graph.outputBytes.push_back(tensor.sizeBytes());
}

void Tensors::copyOwnersToAliases() {
  for (LayerTensor &tensor : graph.tensors)
    if (tensor.aliasOf) {
      const LayerTensor &owner = graph.tensors[*tensor.aliasOf];
      tensor.dtype = owner.dtype, tensor.zeroPoint = owner.zeroPoint;
      tensor.home = owner.home, tensor.edge = owner.edge;
    }
}

} // namespace tenon::mortise
