// SPDX-License-Identifier: Apache-2.0
// A partitioned module's functions, composites and refusals, by the model's operators.
#include "partition/MakeReport.h"

#include <set>

#include "ir/OperatorLocation.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "partition/Attributes.h"
#include "partition/UnitGraph.h"

namespace tenon::partition {
namespace {

int64_t elements(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

int64_t dimension(mlir::Value value, unsigned index) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && index < type.getRank() && !type.isDynamicDim(index) ? type.getDimSize(index) : 0;
}

int64_t macsOf(mlir::Operation *op) {
  if (auto conv = llvm::dyn_cast<mlir::tosa::Conv2DOp>(op)) {
    const int64_t channels = std::max<int64_t>(1, dimension(conv.getWeight(), 0));
    return elements(conv.getOutput()) * (elements(conv.getWeight()) / channels);
  }
  if (auto conv = llvm::dyn_cast<mlir::tosa::DepthwiseConv2DOp>(op))
    return elements(conv.getOutput()) * dimension(conv.getWeight(), 0) *
           dimension(conv.getWeight(), 1);
  if (auto conv = llvm::dyn_cast<mlir::tosa::TransposeConv2DOp>(op)) {
    const int64_t channels = std::max<int64_t>(1, dimension(conv.getInput(), 3));
    return elements(conv.getInput()) * (elements(conv.getWeight()) / channels);
  }
  if (auto product = llvm::dyn_cast<mlir::tosa::MatMulOp>(op))
    return elements(product.getOutput()) * dimension(product.getA(), 2);
  return 0;
}

class ReportWriter {
public:
  void addFunction(mlir::func::FuncOp function) {
    auto target = function->getAttrOfType<mlir::StringAttr>(kTarget);
    partition = {target ? target.str() : "", {}};
    for (mlir::Operation &op : function.getBody().front().without_terminator())
      addTopLevel(&op);
    llvm::sort(partition.operators);
    partition.operators.erase(llvm::unique(partition.operators), partition.operators.end());
    report.partitions.push_back(partition);
  }

  Report take() {
    for (auto &[index, op] : byIndex)
      report.operators.push_back(std::move(op));
    return std::move(report);
  }

private:
  void addTopLevel(mlir::Operation *op) {
    auto composite = llvm::dyn_cast<ir::CompositeOp>(op);
    // Only a composite that this target's pattern made tells what an operator became.
    if (composite && composite.getName().starts_with(partition.target + "."))
      for (mlir::Operation &inner : composite.getBody().front().without_terminator())
        add(&inner, composite.getName());
    else
      add(op, "");
  }

  void add(mlir::Operation *op, llvm::StringRef composite) {
    if (isConstant(op))
      return;
    for (const ir::ModelOperator &named : ir::getModelOperators(op->getLoc())) {
      partition.operators.push_back(named.index);
      OperatorReport &entry = byIndex[named.index];
      entry.index = named.index;
      entry.name = named.name;
      entry.type = named.type;
      entry.target = partition.target;
      entry.composite = composite.str();
      entry.macs += countMacs(op);
      if (entry.refusals.empty())
        for (mlir::DictionaryAttr refusal : dictionariesOf(op, kRefusals))
          entry.refusals.push_back({textOf(refusal, "target").str(), toRefusal(refusal)});
    }
  }

  Report report;
  PartitionReport partition;
  std::map<int64_t, OperatorReport> byIndex;
};

/// Which model operators a value comes from, through IR that stands for none.
class EdgeFinder {
public:
  using Indices = std::set<int64_t>;

  void add(mlir::Operation *op, std::map<int64_t, OperatorReport *> &byIndex) {
    if (isConstant(op))
      return;
    Indices from;
    visitUsedValues(op, [&](mlir::Value value) {
      if (auto found = madeBy.find(value.getDefiningOp()); found != madeBy.end())
        from.insert(found->second.begin(), found->second.end());
    });
    const auto named = ir::getModelOperators(op->getLoc());
    Indices &own = madeBy[op];
    for (const ir::ModelOperator &model : named)
      own.insert(model.index);
    for (int64_t index : own)
      if (auto entry = byIndex.find(index); entry != byIndex.end())
        describe(op, index, from, *entry->second);
    if (named.empty())
      own = std::move(from);
  }

private:
  static void describe(mlir::Operation *op, int64_t index, const Indices &from,
                       OperatorReport &entry) {
    Indices inputs(entry.inputs.begin(), entry.inputs.end());
    inputs.insert(from.begin(), from.end());
    inputs.erase(index);
    entry.inputs.assign(inputs.begin(), inputs.end());
    if (op->getNumResults() == 0)
      return;
    if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType())) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      entry.shape = llvm::StringRef(text).drop_front(7).drop_back().str(); // of "tensor<...>"
    }
  }

  std::map<mlir::Operation *, Indices> madeBy;
};

} // namespace

void addEdges(Report &report, mlir::ModuleOp graph) {
  auto main = graph.lookupSymbol<mlir::func::FuncOp>("main");
  std::map<int64_t, OperatorReport *> byIndex;
  for (OperatorReport &entry : report.operators)
    byIndex[entry.index] = &entry;
  EdgeFinder finder;
  if (main)
    for (mlir::Operation &op : main.getBody().front().without_terminator())
      finder.add(&op, byIndex);
}

uint64_t countMacs(mlir::Operation *op) {
  int64_t macs = 0;
  op->walk([&](mlir::Operation *inner) { macs += macsOf(inner); });
  return macs;
}

Report makeReport(mlir::ModuleOp module) {
  ReportWriter writer;
  if (auto main = module.lookupSymbol<mlir::func::FuncOp>("main"))
    for (auto call : main.getOps<mlir::func::CallOp>())
      if (auto function = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee()))
        writer.addFunction(function);
  return writer.take();
}

} // namespace tenon::partition
