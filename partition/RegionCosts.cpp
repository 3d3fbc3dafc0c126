// SPDX-License-Identifier: Apache-2.0
// Sums backends' costs over regions.
#include "partition/RegionCosts.h"

#include "ir/OperatorLocation.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "partition/Composites.h"

namespace tenon::partition {
namespace {

uint64_t bytesOf(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::ShapedType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  return uint64_t(type.getNumElements()) * ((type.getElementTypeBitWidth() + 7) / 8);
}

/// Do \p operators stand for operators of a model's file?
bool anyNamed(llvm::ArrayRef<mlir::Operation *> operators) {
  return llvm::any_of(
      operators, [](mlir::Operation *op) { return !ir::getModelOperators(op->getLoc()).empty(); });
}

std::string microseconds(uint64_t nanoseconds) {
  return fmt::format("{:.1f} us", double(nanoseconds) / 1000);
}

} // namespace

uint64_t RegionCosts::ofMatch(unsigned target, const Match &match) {
  auto [found, isNew] = known.try_emplace({{target, match.pattern}, match.units}, 0);
  if (isNew)
    withComposite(graph, match, [&, &nanoseconds = found->second](ir::CompositeOp composite) {
      nanoseconds = targets[target]->cost(composite).computeNs;
    });
  return found->second;
}

uint64_t RegionCosts::ofUnit(unsigned target, unsigned unit) {
  auto [found, isNew] = known.try_emplace({{target, ""}, {unit}}, 0);
  if (isNew)
    for (mlir::Operation *op : graph.units()[unit].operators)
      if (!isConstant(op))
        found->second += targets[target]->cost(op).computeNs;
  return found->second;
}

uint64_t RegionCosts::ofUnits(unsigned target, llvm::ArrayRef<unsigned> units,
                              const TargetMatches &matches) {
  uint64_t nanoseconds = 0;
  auto isInside = [&](unsigned unit) { return llvm::is_contained(units, unit); };
  for (unsigned unit : units) {
    const int match = matches.matchOf[unit];
    if (match < 0 || !llvm::all_of(matches.matches[match].units, isInside))
      nanoseconds += ofUnit(target, unit);
    else if (matches.matches[match].units.front() == unit)
      nanoseconds += ofMatch(target, matches.matches[match]);
  }
  return nanoseconds;
}

uint64_t RegionCosts::ofEdges(const backend::RegionCost &cost,
                              llvm::ArrayRef<unsigned> units) const {
  const auto operators = graph.operatorsOf(units);
  uint64_t bytes = 0;
  for (mlir::Value value : findInputs(operators))
    bytes += bytesOf(value);
  for (mlir::Value value : findOutputs(operators))
    bytes += bytesOf(value);
  return cost.launchNs + cost.perKilobyteNs * bytes / 1024;
}

std::optional<unsigned> RegionCosts::nextTarget(unsigned target, unsigned unit) const {
  for (unsigned next = target + 1; next < targets.size(); ++next)
    if (!eligibility[next].refusal(unit, initial[next]))
      return next;
  return std::nullopt;
}

bool RegionCosts::isOnlyConversion(llvm::ArrayRef<unsigned> units) const {
  if (anyNamed(graph.operatorsOf(units)))
    return false;
  return llvm::any_of(graph.units(), [](const Unit &unit) { return anyNamed(unit.operators); });
}

std::optional<backend::Refusal> RegionCosts::refuse(unsigned target, llvm::ArrayRef<unsigned> units,
                                                    const TargetMatches &matches) {
  std::map<unsigned, llvm::SmallVector<unsigned>> elsewhere;
  for (unsigned unit : units) {
    auto next = nextTarget(target, unit);
    if (!next)
      return std::nullopt;
    elsewhere[*next].push_back(unit);
  }
  const std::string name = targets[target]->name();
  if (isOnlyConversion(units))
    return backend::Refusal{name + ".region.conversion", "the region only converts types",
                            "no operator of the model", "one operator or more",
                            fmt::format("let operators before or after it run on {} too", name)};
  const uint64_t here =
      ofUnits(target, units, matches) + ofEdges(targets[target]->regionCost(), units);
  uint64_t there = 0;
  for (const auto &[next, part] : elsewhere)
    there += ofUnits(next, part, initial[next]);
  if (here <= there)
    return std::nullopt;
  const std::string next = targets[elsewhere.begin()->first]->name();
  return backend::Refusal{
      name + ".region.cost",
      fmt::format("a region of {} operators takes {} with launch and transfers, {} on {}",
                  units.size(), microseconds(here), microseconds(there), next),
      microseconds(here), microseconds(there),
      fmt::format("let operators before or after it run on {} too", name)};
}

} // namespace tenon::partition
