// SPDX-License-Identifier: Apache-2.0
// A plug-in that does one thing wrong: what CONFIG in `--target bad:CONFIG` names. It takes
// additions; its code is no code, so only what the compiler does with it can be tested.
#include <csignal>
#include <stdexcept>

#include "backend/api/Backend.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace tenon::bad {
namespace {

using backend::CompileResult;
using Functions = llvm::ArrayRef<backend::PartitionFunction>;

/// Sums, each alone, or with "circle" the sum before, past what lies between.
class SumPattern : public backend::Pattern {
public:
  explicit SumPattern(std::string fault) : fault(std::move(fault)) {}

  std::string name() const override { return fault == "pattern name" ? "worse.sum" : "bad.sum"; }

  std::optional<backend::Match> match(mlir::Operation *root) const override {
    if (!llvm::isa<mlir::tosa::AddOp>(root))
      return std::nullopt;
    if (fault == "match throws")
      throw std::runtime_error("lost the thread");
    if (fault == "match crashes")
      std::raise(SIGSEGV);
    backend::Match found;
    found.operators.push_back(root);
    if (fault == "match of null")
      found.operators.push_back(nullptr);
    if (fault == "match twice")
      found.operators.push_back(root);
    if (fault == "match of elsewhere")
      found.operators.push_back(root->getParentOp());
    if (fault == "match of the past")
      found.operators.push_back(makeErased(root));
    if (fault == "match without root")
      found.operators.front() = root->getPrevNode();
    if (fault == "circle")
      addSumBefore(root, found);
    return found;
  }

  std::optional<backend::Refusal> check(const backend::Match &) const override {
    if (fault == "check throws")
      throw 3;
    if (fault == "empty refusal")
      return backend::Refusal{};
    return std::nullopt;
  }

private:
  /// Where an operator was.
  static mlir::Operation *makeErased(mlir::Operation *root) {
    mlir::Operation *copy = root->clone();
    copy->destroy();
    return copy;
  }

  static void addSumBefore(mlir::Operation *root, backend::Match &found) {
    for (mlir::Operation *op = root->getPrevNode(); op; op = op->getPrevNode())
      if (llvm::isa<mlir::tosa::AddOp>(op))
        found.operators.push_back(op);
  }

  const std::string fault;
};

package::Partition makeStep(const backend::PartitionFunction &function) {
  package::Partition step;
  step.target = "bad";
  step.kind = package::CodeKind::Device;
  step.symbol = function.symbol;
  step.commands = {1, 2, 3};
  return step;
}

/// What is wrong with partitions that are otherwise in order.
void spoil(std::vector<package::Partition> &steps, const std::string &fault) {
  package::Partition &last = steps.back();
  if (fault == "partition missing")
    steps.pop_back();
  else if (fault == "partition twice")
    steps.push_back(last);
  else if (fault == "symbol twice")
    last.symbol = steps.front().symbol;
  else if (fault == "symbols swapped")
    std::swap(last.symbol, steps.front().symbol);
  else if (fault == "symbol empty")
    last.symbol.clear();
  else if (fault == "target of another")
    last.target = "host";
  else if (fault == "commands empty")
    last.commands.clear();
  else if (fault == "no host code")
    last.kind = package::CodeKind::Host;
  else if (fault == "scratch too big")
    last.scratchBytes = UINT64_MAX;
  else if (fault == "long text")
    last.deviceConfig.assign(5000, 'x');
  else if (fault == "debug of nobody")
    last.debug.push_back({0, 0, {77}});
  else if (fault == "debug unordered")
    last.debug = {{2, 0, {}}, {1, 0, {}}};
  else if (fault == "costs of nobody")
    last.costs.push_back({"bad.sum", 0, {77}, 0, 0, 0});
}

class BadBackend : public backend::Backend {
public:
  explicit BadBackend(const std::string &config) : fault(config) {
    table.push_back(fault == "null pattern" ? nullptr : std::make_unique<SumPattern>(fault));
  }

  ~BadBackend() override = default;

  std::string name() const override {
    if (fault == "name throws")
      throw std::runtime_error("nameless");
    return fault == "name of another" ? "worse" : "bad";
  }
  std::string config() const override { return fault; }
  const std::vector<std::unique_ptr<backend::Pattern>> &patterns() const override { return table; }

  std::optional<backend::Refusal> takesAlone(mlir::Operation *op) const override {
    if (fault == "takesAlone throws")
      throw std::runtime_error("no\ncompany");
    return backend::Refusal{"bad.operator", "is no sum", "an operator", "sums", "use sums"};
  }

  backend::Cost cost(mlir::Operation *) const override {
    if (fault == "cost throws")
      throw std::runtime_error("priceless");
    return {fault == "cost too high" ? UINT64_MAX : 0};
  }

  backend::RegionCost regionCost() const override {
    if (fault == "regionCost throws")
      throw std::runtime_error("priceless");
    return {};
  }

  CompileResult compile(Functions functions) override {
    if (fault == "compile throws")
      throw std::runtime_error("out of ideas");
    if (fault == "compile crashes")
      std::raise(SIGSEGV);
    if (fault == "compile aborts")
      std::abort();
    CompileResult result;
    if (fault == "refuses a function there is not")
      result.failures.push_back(
          {functions.size(), {}, {"bad.sum", "too much", "1", "0", "add less"}});
    if (fault == "refuses without reason")
      result.failures.push_back({0, {}, {}});
    if (fault == "refuses an operator there is not")
      result.failures.push_back({0, {-5, 99}, {"bad.sum", "too much", "1", "0", "add less"}});
    for (const backend::PartitionFunction &function : functions)
      result.compiled.partitions.push_back(makeStep(function));
    spoil(result.compiled.partitions, fault);
    if (fault == "tears down its functions")
      for (const backend::PartitionFunction &function : functions)
        function.function->erase();
    if (fault == "host code empty")
      result.compiled.hostCode.push_back({});
    return result;
  }

private:
  const std::string fault;
  std::vector<std::unique_ptr<backend::Pattern>> table;
};

Expected<std::unique_ptr<backend::Backend>> create(mlir::MLIRContext &, const std::string &config) {
  if (config == "create throws")
    throw std::runtime_error("not today");
  if (config == "create returns nothing")
    return std::unique_ptr<backend::Backend>();
  if (config == "create refuses")
    return fail("target bad: no configuration \"{}\"", config);
  return std::make_unique<BadBackend>(config);
}

} // namespace
} // namespace tenon::bad

extern "C" const tenon::backend::BackendPlugin *tenon_backend_v1() {
  static const tenon::backend::BackendPlugin plugin = {
      tenon::backend::kInterfaceVersion, "bad", "does one thing wrong", tenon::bad::create,
      +[](const tenon::backend::BackendPlugin &) -> std::vector<std::string> {
        throw std::runtime_error("countless");
      }};
  return &plugin;
}
