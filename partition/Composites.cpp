// SPDX-License-Identifier: Apache-2.0
// Builds composites' bodies out of the graph's operators.
#include "partition/Composites.h"

#include "ir/OperatorLocation.h"
#include "partition/Attributes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tenon::partition {
namespace {

using Operators = llvm::ArrayRef<mlir::Operation *>;

mlir::Location fuseLocations(mlir::MLIRContext *context, Operators operators) {
  llvm::SmallVector<mlir::Location> locations;
  for (mlir::Operation *op : operators)
    locations.push_back(op->getLoc());
  return ir::fuseOperatorLocations(context, locations);
}

/// Removes what only passes before this one read.
mlir::Operation *strip(mlir::Operation *op) {
  for (llvm::StringRef name : {kCandidates, kTargets, kExcluded})
    op->removeDiscardableAttr(name);
  return op;
}

/// The root's results, then what else is used outside.
llvm::SmallVector<mlir::Value> findResults(Operators operators, mlir::Operation *root) {
  llvm::SetVector<mlir::Value> results(root->result_begin(), root->result_end());
  for (mlir::Value value : findOutputs(operators))
    results.insert(value);
  return results.takeVector();
}

} // namespace

llvm::SmallVector<mlir::Value> findInputs(Operators operators) {
  llvm::SmallPtrSet<mlir::Operation *, 16> inside(operators.begin(), operators.end());
  llvm::SetVector<mlir::Value> inputs;
  for (mlir::Operation *op : operators)
    visitUsedValues(op, [&](mlir::Value value) {
      mlir::Operation *producer = value.getDefiningOp();
      if (!producer || (!inside.contains(producer) && !isConstant(producer)))
        inputs.insert(value);
    });
  return inputs.takeVector();
}

llvm::SmallVector<mlir::Value> findOutputs(Operators operators) {
  llvm::SmallPtrSet<mlir::Operation *, 16> inside(operators.begin(), operators.end());
  auto isInside = [&](mlir::Operation *user) {
    for (; user; user = user->getParentOp())
      if (inside.contains(user))
        return true;
    return false;
  };
  auto isOutput = [&](mlir::Operation *op, mlir::Value result) {
    return llvm::any_of(result.getUsers(), [&](mlir::Operation *user) {
      // A constant is copied to each user; only the function's end needs its value.
      return !isInside(user) && (!isConstant(op) || user->hasTrait<mlir::OpTrait::IsTerminator>());
    });
  };
  llvm::SmallVector<mlir::Value> outputs;
  for (mlir::Operation *op : operators)
    for (mlir::Value result : op->getResults())
      if (isOutput(op, result))
        outputs.push_back(result);
  return outputs;
}

void BodyWriter::copyConstant(mlir::Operation *op) {
  ConstantKey key = {
      {op->getName().getAsOpaquePointer(), op->getAttrDictionary().getAsOpaquePointer()},
      op->getResult(0).getType().getAsOpaquePointer()};
  auto [found, isNew] = constants.try_emplace(key, nullptr);
  if (isNew)
    found->second = strip(builder.clone(*op));
  values.map(op->getResult(0), found->second->getResult(0));
}

void BodyWriter::copyConstantsOf(mlir::Operation *op) {
  visitUsedValues(op, [&](mlir::Value value) {
    if (mlir::Operation *producer = value.getDefiningOp(); isConstant(producer))
      copyConstant(producer);
  });
}

void BodyWriter::copy(mlir::Operation *op) {
  if (isConstant(op))
    return copyConstant(op);
  copyConstantsOf(op);
  strip(builder.clone(*op, values));
}

ir::CompositeOp BodyWriter::copyAsComposite(const UnitGraph &graph, const Match &match) {
  const auto operators = graph.operatorsOf(match.units);
  const auto inputs = findInputs(operators);
  const auto results = findResults(operators, match.root);
  llvm::SmallVector<mlir::Value> operands;
  for (mlir::Value input : inputs)
    operands.push_back(values.lookupOrDefault(input));
  auto composite = ir::CompositeOp::create(
      builder, fuseLocations(builder.getContext(), operators), mlir::ValueRange(results).getTypes(),
      builder.getStringAttr(match.pattern), operands, match.parameters);
  if (mlir::Attribute quant = match.root->getDiscardableAttr(kQuant))
    composite->setDiscardableAttr(kQuant, quant);

  mlir::Block &block = composite.getBody().emplaceBlock();
  mlir::IRMapping inner;
  for (mlir::Value input : inputs)
    inner.map(input, block.addArgument(input.getType(), input.getLoc()));
  BodyWriter body(mlir::OpBuilder::atBlockEnd(&block), inner);
  for (mlir::Operation *op : operators)
    body.copy(op);
  llvm::SmallVector<mlir::Value> yielded;
  for (mlir::Value result : results)
    yielded.push_back(inner.lookup(result));
  ir::YieldOp::create(body.builder, composite.getLoc(), yielded);
  values.map(mlir::ValueRange(results), composite.getOutputs());
  return composite;
}

void withComposite(const UnitGraph &graph, const Match &match,
                   llvm::function_ref<void(ir::CompositeOp)> visit) {
  mlir::IRMapping values;
  mlir::OpBuilder nowhere(match.root->getContext());
  ir::CompositeOp composite = BodyWriter(nowhere, values).copyAsComposite(graph, match);
  visit(composite);
  composite->erase();
}

} // namespace tenon::partition
