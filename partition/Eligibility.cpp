// SPDX-License-Identifier: Apache-2.0
// Combines exclusions, matches and takesAlone into one answer a unit.
#include "partition/Eligibility.h"

#include "ir/OperatorLocation.h"
#include "partition/Attributes.h"
#include "support/Error.h"

namespace tenon::partition {

Eligibility::Eligibility(const UnitGraph &graph, const backend::Backend &backend)
    : graph(graph), backend(backend), excluded(readExclusions(graph, backend.name())),
      alone(graph.size()) {}

const std::optional<backend::Refusal> &Eligibility::aloneRefusal(unsigned unit) const {
  auto &answer = alone[unit];
  if (!answer) {
    answer.emplace();
    for (mlir::Operation *op : graph.units()[unit].operators)
      if (*answer = backend.takesAlone(op); *answer)
        break;
  }
  return *answer;
}

std::optional<backend::Refusal> Eligibility::refusal(unsigned unit,
                                                     const TargetMatches &matches) const {
  if (excluded[unit])
    return excluded[unit];
  if (matches.matchOf[unit] >= 0 || takesAlone(unit))
    return std::nullopt;
  // A pattern that fits in shape knows better than the general answer.
  if (matches.declined[unit])
    return matches.declined[unit]->refusal;
  return aloneRefusal(unit);
}

std::string describeUnit(const UnitGraph &graph, unsigned unit) {
  mlir::Operation *last = graph.units()[unit].operators.back();
  auto named = ir::getModelOperators(last->getLoc());
  if (named.empty())
    return fmt::format("an edge's {}", last->getName().getStringRef().str());
  return fmt::format("operator {} \"{}\" ({})", named.back().index, named.back().name,
                     named.back().type);
}

mlir::LogicalResult reportUnplaced(const UnitGraph &graph, unsigned unit,
                                   const backend::Backend &last, const backend::Refusal &refusal) {
  std::string line = fmt::format("{}: no target takes it; {}: {} ({})", describeUnit(graph, unit),
                                 last.name(), refusal.reason, refusal.rule);
  if (!refusal.remedy.empty())
    line += "; " + refusal.remedy;
  return mlir::emitError(graph.units()[unit].operators.back()->getLoc()) << line;
}

} // namespace tenon::partition
