// SPDX-License-Identifier: Apache-2.0
// Checks of backends' values, each a sentence that names the value at fault.
#include "compiler/CheckBackend.h"

#include <set>

#include "ir/OperatorLocation.h"
#include "package/Package.h"

namespace tenon::compiler {
namespace {

constexpr size_t kMaxTextBytes = 2000;

std::string oneLine(std::string text) {
  for (char &letter : text)
    if (uint8_t(letter) < 0x20)
      letter = ' ';
  if (text.size() > kMaxTextBytes)
    text = text.substr(0, kMaxTextBytes) + "...";
  return text;
}

/// A package that knows nothing but \p function's operators and \p hostCode.
package::Package makeFrame(mlir::func::FuncOp function,
                           const std::vector<package::HostCode> &hostCode) {
  std::set<int64_t> operators;
  function.walk([&](mlir::Operation *op) {
    for (const ir::ModelOperator &named : ir::getModelOperators(op->getLoc()))
      operators.insert(named.index);
  });
  package::Package frame;
  for (int64_t index : operators)
    frame.operators.push_back({uint32_t(index), "", ""});
  // Images may be large; a package is asked only whether it has some.
  for (const package::HostCode &code : hostCode)
    frame.hostCode.push_back({code.triple, code.cpu, code.features, {}});
  return frame;
}

Problem checkPartition(const package::Partition &partition,
                       const backend::PartitionFunction &function,
                       const std::vector<package::HostCode> &hostCode, const std::string &name) {
  if (partition.symbol != function.symbol)
    return fmt::format("made a partition of symbol \"{}\" where \"{}\" is due", partition.symbol,
                       function.symbol);
  if (partition.target != name)
    return fmt::format("made partition {} for target \"{}\"", function.symbol, partition.target);
  const uint64_t sizeBytes = uint64_t(partition.commands.size()) + partition.constants.size();
  if (sizeBytes > package::kMaxFileBytes)
    return fmt::format("made {} bytes for partition {}, a package takes {}", sizeBytes,
                       function.symbol, package::kMaxFileBytes);
  package::Partition rest = partition;
  rest.inputs.clear();
  rest.outputs.clear();
  rest.operators.clear();
  if (auto ok = package::validatePartition(makeFrame(function.function, hostCode), rest); !ok)
    return fmt::format("made a partition {} that {}", function.symbol, ok.error().message);
  return std::nullopt;
}

Problem checkHostCode(const std::vector<package::HostCode> &hostCode) {
  for (const package::HostCode &code : hostCode)
    if (code.image.empty() || code.triple.empty())
      return fmt::format("made host code for \"{}\" of {} bytes", code.triple, code.image.size());
  return std::nullopt;
}

Problem checkFailures(llvm::ArrayRef<backend::CompileFailure> failures, size_t functions) {
  for (const backend::CompileFailure &failure : failures)
    if (failure.function >= functions)
      return fmt::format("refused function {} of {}", failure.function, functions);
  return std::nullopt;
}

} // namespace

Problem checkPatterns(const std::vector<std::unique_ptr<backend::Pattern>> &patterns,
                      const std::string &name) {
  for (size_t row = 0; row < patterns.size(); ++row) {
    if (!patterns[row])
      return fmt::format("has no pattern in row {} of its table", row);
    if (const std::string made = patterns[row]->name();
        !llvm::StringRef(made).starts_with(name + "."))
      return fmt::format("has a pattern \"{}\", which does not begin with \"{}.\"", oneLine(made),
                         name);
  }
  return std::nullopt;
}

Problem checkMatch(const backend::Match &match, mlir::Operation *root) {
  // Pointers are compared, never followed: nothing says that they lead anywhere.
  llvm::DenseMap<mlir::Operation *, unsigned> times;
  for (mlir::Operation &op : root->getBlock()->without_terminator())
    times[&op] = 0;
  for (mlir::Operation *op : match.operators) {
    auto found = times.find(op);
    if (found == times.end())
      return op ? "matched an operator that is not in the graph" : "matched a null operator";
    if (++found->second > 1)
      return "matched one operator twice";
  }
  if (!times[root])
    return "made a match without its root";
  return std::nullopt;
}

Problem checkResult(const backend::CompileResult &result,
                    llvm::ArrayRef<backend::PartitionFunction> functions, const std::string &name) {
  if (!result.failures.empty())
    return checkFailures(result.failures, functions.size());
  const auto &partitions = result.compiled.partitions;
  if (partitions.size() != functions.size())
    return fmt::format("made {} partitions of {} functions", partitions.size(), functions.size());
  if (auto problem = checkHostCode(result.compiled.hostCode))
    return problem;
  for (auto [partition, function] : llvm::zip(partitions, functions))
    if (auto problem = checkPartition(partition, function, result.compiled.hostCode, name))
      return problem;
  return std::nullopt;
}

backend::Refusal tidy(backend::Refusal refusal, const std::string &name) {
  for (std::string *text :
       {&refusal.rule, &refusal.reason, &refusal.value, &refusal.limit, &refusal.remedy})
    *text = oneLine(std::move(*text));
  if (refusal.rule.empty())
    refusal.rule = name + ".unnamed";
  if (refusal.reason.empty())
    refusal.reason = name + " gives no reason";
  return refusal;
}

} // namespace tenon::compiler
