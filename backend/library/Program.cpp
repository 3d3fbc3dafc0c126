// SPDX-License-Identifier: Apache-2.0
// Reads a function's composites, and places the tensors between them.
#include "backend/library/Program.h"

#include "ir/OperatorLocation.h"
#include "planning/Allocation.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::library {
namespace {

using mlir::Value;

uint64_t bytesOf(Value value) {
  auto type = llvm::cast<mlir::ShapedType>(value.getType());
  return uint64_t(type.getNumElements()) * ((type.getElementTypeBitWidth() + 7) / 8);
}

class Placement {
public:
  Placement(mlir::func::FuncOp function, std::vector<Step> steps) : block(function.front()) {
    placed.steps = std::move(steps);
  }

  Expected<PlacedFunction> run() {
    nameOwners();
    placeInputs();
    if (auto ok = placeOutputs(); !ok)
      return tl::unexpected(ok.error());
    placeScratch();
    fillViews();
    for (auto [from, edge] : copiesOf)
      placed.copies.push_back({placeOf(from), outputPlace(edge, bytesOf(from))});
    return std::move(placed);
  }

private:
  Value resultOf(const Step &step) const { return step.composite->getResult(0); }
  Value ownerOf(Value value) const {
    auto found = owners.find(value);
    return found == owners.end() ? value : found->second;
  }
  Place placeOf(Value value) const {
    Place place = places.at(ownerOf(value));
    place.bytes = bytesOf(value);
    return place;
  }
  static Place outputPlace(uint32_t edge, uint64_t bytes) {
    return {Region::Output, edge, 0, bytes};
  }

  void nameOwners() {
    for (const Step &step : placed.steps)
      if (std::holds_alternative<Renaming>(step.found.view))
        owners[resultOf(step)] = ownerOf(step.outer(step.found.inputs[0]));
  }

  void placeInputs() {
    for (mlir::BlockArgument argument : block.getArguments()) {
      const uint64_t bytes = bytesOf(argument);
      places[argument] = {Region::Input, argument.getArgNumber(), 0, bytes};
      placed.inputBytes.push_back(bytes);
    }
  }

  /// The first output that returns a tensor is its place; others are copied.
  Expected<void> placeOutputs() {
    for (mlir::OpOperand &returned : block.getTerminator()->getOpOperands()) {
      const Value owner = ownerOf(returned.get());
      const uint32_t edge = returned.getOperandNumber();
      const uint64_t bytes = bytesOf(returned.get());
      if (patterns::isConstant(owner))
        return fail("output {} is a constant", edge);
      placed.outputBytes.push_back(bytes);
      if (places.count(owner))
        copiesOf.push_back({owner, edge});
      else
        places[owner] = outputPlace(edge, bytes);
    }
    return {};
  }

  void placeScratch() {
    std::vector<Value> tensors;
    planning::AllocationProblem problem;
    llvm::DenseMap<Value, size_t> blockOf;
    for (auto [index, step] : llvm::enumerate(placed.steps)) {
      const Value owner = ownerOf(resultOf(step));
      if (!places.count(owner) && blockOf.try_emplace(owner, tensors.size()).second) {
        tensors.push_back(owner);
        problem.blocks.push_back({bytesOf(owner), uint32_t(index), uint32_t(index)});
      }
      for (Value operand : step.composite->getOperands())
        if (auto found = blockOf.find(ownerOf(operand)); found != blockOf.end())
          problem.blocks[found->second].last = uint32_t(index);
    }
    const planning::Allocation allocation = planning::allocateFirstFit(problem);
    for (auto [index, tensor] : llvm::enumerate(tensors))
      places[tensor] = {Region::Scratch, 0, allocation.offsets[index], bytesOf(tensor)};
    placed.scratchBytes = allocation.sizeBytes;
  }

  void fillViews() {
    for (Step &step : placed.steps) {
      std::vector<Tensor *> tensors = tensorsOf(step.found.view);
      for (auto [tensor, inner] : llvm::zip(tensors, step.found.inputs))
        fill(*tensor, step.outer(inner));
      fill(*tensors.back(), resultOf(step));
    }
  }

  void fill(Tensor &tensor, Value value) const {
    tensor.place = placeOf(value);
    if (mlir::Operation *op = value.getDefiningOp()) {
      if (auto named = ir::getModelOperators(op->getLoc()); !named.empty())
        tensor.name = named.back().name;
    } else
      tensor.name = "input" + std::to_string(llvm::cast<mlir::BlockArgument>(value).getArgNumber());
  }

  mlir::Block &block;
  PlacedFunction placed;
  llvm::DenseMap<Value, Value> owners; ///< of what reshapes make
  llvm::DenseMap<Value, Place> places; ///< by owner
  std::vector<std::pair<Value, uint32_t>> copiesOf;
};

} // namespace

Value Step::outer(Value inner) const {
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

std::optional<Step> readStep(mlir::Operation *op, const std::string &npu,
                             const std::vector<Row> &rows, bool withConstants) {
  auto composite = llvm::dyn_cast<ir::CompositeOp>(op);
  if (!composite || composite->getNumResults() != 1)
    return std::nullopt;
  const Value yielded = composite.getBody().front().getTerminator()->getOperand(0);
  if (!yielded.getDefiningOp())
    return std::nullopt;
  for (const Row &row : rows)
    if (composite.getName() == npu + "." + row.composite->name)
      if (auto found = readView(yielded.getDefiningOp(), row, withConstants))
        return Step{op, std::move(*found), row};
  return std::nullopt;
}

Expected<PlacedFunction> placeFunction(mlir::func::FuncOp function, const std::string &npu,
                                       const std::vector<Row> &rows) {
  std::vector<Step> steps;
  for (mlir::Operation &op : function.front().without_terminator()) {
    if (op.hasTrait<mlir::OpTrait::ConstantLike>())
      continue;
    auto step = readStep(&op, npu, rows, true);
    if (!step)
      return fail("{} is no composite of {}", op.getName().getStringRef().str(), npu);
    steps.push_back(std::move(*step));
  }
  return Placement(function, std::move(steps)).run();
}

} // namespace tenon::library
