// SPDX-License-Identifier: Apache-2.0
// tenon-merge-regions: the placement becomes tenon.partition operators that hold composites.
#include "partition/Attributes.h"
#include "partition/Composites.h"
#include "partition/Placement.h"
#include "partition/TargetPass.h"

namespace tenon::partition {
namespace {

/// Replaces @main's body by partitions.
class RegionWriter {
public:
  RegionWriter(const UnitGraph &graph, Targets targets, const Placement &placement)
      : graph(graph), targets(targets), placement(placement) {}

  void write() {
    mlir::Block &block = graph.function()->getRegion(0).front();
    mlir::Operation *end = block.getTerminator();
    llvm::SmallVector<mlir::Operation *> old;
    for (mlir::Operation &op : block.without_terminator())
      old.push_back(&op);
    for (const Region &region : placement.regions())
      writeRegion(mlir::OpBuilder(end), region);
    for (mlir::OpOperand &result : end->getOpOperands())
      result.set(values.lookupOrDefault(result.get()));
    for (mlir::Operation *op : llvm::reverse(old))
      op->erase();
  }

private:
  void writeRegion(mlir::OpBuilder builder, const Region &region) {
    llvm::SmallVector<unsigned> units;
    for (unsigned atom : region.atoms)
      llvm::append_range(units, placement.atoms()[atom].units);
    const auto operators = graph.operatorsOf(units);
    const auto inputs = findInputs(operators), outputs = findOutputs(operators);

    llvm::SmallVector<mlir::Value> operands;
    for (mlir::Value input : inputs)
      operands.push_back(values.lookupOrDefault(input));
    auto partition = ir::PartitionOp::create(
        builder, builder.getUnknownLoc(), mlir::ValueRange(outputs).getTypes(),
        builder.getStringAttr(targets[region.target]->name()), operands);
    mlir::Block &body = partition.getBody().emplaceBlock();
    mlir::IRMapping inner;
    for (mlir::Value input : inputs)
      inner.map(input, body.addArgument(input.getType(), input.getLoc()));
    writeBody(mlir::OpBuilder::atBlockEnd(&body), region, inner, outputs);
    values.map(mlir::ValueRange(outputs), partition.getOutputs());
  }

  void writeBody(mlir::OpBuilder builder, const Region &region, mlir::IRMapping &inner,
                 llvm::ArrayRef<mlir::Value> outputs) {
    BodyWriter body(builder, inner);
    for (unsigned index : region.atoms) {
      const Atom &atom = placement.atoms()[index];
      if (const Match *match = placement.matchOf(atom))
        body.copyAsComposite(graph, *match);
      else
        for (mlir::Operation *op : graph.units()[atom.units.front()].operators)
          body.copy(op);
    }
    llvm::SmallVector<mlir::Value> yielded;
    for (mlir::Value output : outputs)
      yielded.push_back(inner.lookup(output));
    ir::YieldOp::create(builder, builder.getUnknownLoc(), yielded);
  }

  const UnitGraph &graph;
  Targets targets;
  const Placement &placement;
  mlir::IRMapping values;
};

struct MergeRegions : TargetPass<MergeRegions> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergeRegions)
  explicit MergeRegions(TargetSource source) : TargetPass(std::move(source)) {}
  llvm::StringRef getArgument() const override { return "tenon-merge-regions"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<ir::TenonDialect>();
  }

  mlir::LogicalResult runOnMain(mlir::func::FuncOp main) {
    UnitGraph graph(main);
    Placement placement(graph, targets, readCandidates(graph, targets));
    if (mlir::failed(placement.run()))
      return mlir::failure();
    for (unsigned unit = 0; unit < graph.size(); ++unit)
      writeRefusals(graph, unit, placement);
    RegionWriter(graph, targets, placement).write();
    return mlir::success();
  }

private:
  void writeRefusals(const UnitGraph &graph, unsigned unit, const Placement &placement) {
    llvm::SmallVector<mlir::Attribute> entries;
    for (const auto &[target, refusal] : placement.refusals(unit))
      entries.push_back(toAttribute(&getContext(), targets[target]->name(), refusal));
    for (mlir::Operation *op : graph.units()[unit].operators)
      setArray(op, kRefusals, entries);
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createMergeRegionsPass(TargetSource targets) {
  return std::make_unique<MergeRegions>(std::move(targets));
}

} // namespace tenon::partition
