// SPDX-License-Identifier: Apache-2.0
// Candidates as attributes, so that match-composites' result can be read, and written by hand.
#include "mlir/IR/Builders.h"
#include "partition/Attributes.h"
#include "partition/Candidates.h"

namespace tenon::partition {
namespace {

mlir::DictionaryAttr makeEntry(mlir::Operation *op, const std::string &target, const Match &match,
                               unsigned number) {
  mlir::Builder builder(op->getContext());
  mlir::NamedAttrList entry;
  entry.append("target", builder.getStringAttr(target));
  entry.append("pattern", builder.getStringAttr(match.pattern));
  entry.append("match", builder.getI64IntegerAttr(number));
  if (op == match.root)
    entry.append("root", builder.getUnitAttr());
  if (op == match.root && match.parameters)
    entry.append("parameters", match.parameters);
  return entry.getDictionary(op->getContext());
}

mlir::DictionaryAttr makeEntry(mlir::Operation *op, const std::string &target,
                               const Declined &declined) {
  mlir::Builder builder(op->getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("target", builder.getStringAttr(target)),
       builder.getNamedAttr("pattern", builder.getStringAttr(declined.pattern)),
       builder.getNamedAttr("refusal", toAttribute(op->getContext(), "", declined.refusal))});
}

void readEntry(const UnitGraph &graph, mlir::Operation *op, mlir::DictionaryAttr entry,
               TargetMatches &into, std::map<int64_t, unsigned> &numbers) {
  const unsigned unit = *graph.unitOf(op);
  const std::string pattern = textOf(entry, "pattern").str();
  if (auto refusal = entry.getAs<mlir::DictionaryAttr>("refusal")) {
    into.declined[unit] = Declined{pattern, toRefusal(refusal)};
    return;
  }
  auto number = entry.getAs<mlir::IntegerAttr>("match");
  if (!number)
    return;
  auto [at, isNew] = numbers.try_emplace(number.getInt(), into.matches.size());
  if (isNew)
    into.matches.push_back({pattern, nullptr, {}, {}});
  Match &match = into.matches[at->second];
  if (into.matchOf[unit] < 0)
    match.units.push_back(unit);
  into.matchOf[unit] = at->second;
  if (entry.get("root")) {
    match.root = op;
    match.parameters = entry.getAs<mlir::DictionaryAttr>("parameters");
  }
}

} // namespace

void writeCandidates(const UnitGraph &graph, Targets targets, llvm::ArrayRef<TargetMatches> found) {
  for (auto [index, unit] : llvm::enumerate(graph.units()))
    for (mlir::Operation *op : unit.operators) {
      llvm::SmallVector<mlir::Attribute> entries;
      for (auto [backend, matches] : llvm::zip(targets, found)) {
        if (int match = matches.matchOf[index]; match >= 0)
          entries.push_back(makeEntry(op, backend->name(), matches.matches[match], match));
        else if (matches.declined[index])
          entries.push_back(makeEntry(op, backend->name(), *matches.declined[index]));
      }
      setArray(op, kCandidates, entries);
      op->setAttr(kUnit, mlir::Builder(op->getContext()).getI64IntegerAttr(index));
    }
}

std::vector<TargetMatches> readCandidates(const UnitGraph &graph, Targets targets) {
  std::vector<TargetMatches> all(targets.size());
  for (auto [backend, into] : llvm::zip(targets, all)) {
    into.matchOf.assign(graph.size(), -1);
    into.declined.resize(graph.size());
    std::map<int64_t, unsigned> numbers;
    for (const Unit &unit : graph.units())
      for (mlir::Operation *op : unit.operators)
        for (mlir::DictionaryAttr entry : dictionariesOf(op, kCandidates))
          if (textOf(entry, "target") == backend->name())
            readEntry(graph, op, entry, into, numbers);
    for (Match &match : into.matches)
      if (!match.root)
        match.root = graph.operatorsOf(match.units).back();
  }
  return all;
}

} // namespace tenon::partition
