// SPDX-License-Identifier: Apache-2.0
// Calls a backend, checks what it says, and does without it from its first fault on.
#include "compiler/GuardedBackend.h"

#include "compiler/CheckBackend.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::compiler {
namespace {

/// A time no network takes; sums of larger ones could overflow.
constexpr uint64_t kMaxNs = uint64_t(1) << 50;

/// What guards of one backend and of its patterns share.
class Fence {
public:
  Fence(const BackendEntry &entry, bool mayCrash, FaultLog &faults)
      : target(entry.plugin->name), origin(entry.origin), mayCrash(mayCrash), faults(faults) {
    if (mayCrash)
      catcher.emplace();
  }

  const std::string &name() const { return target; }
  const std::optional<std::string> &fault() const { return problem; }

  /// Calls \p work unless there was a fault; false if there was or is one. \p where names the call.
  bool call(const std::string &where, llvm::function_ref<void()> work) {
    if (problem)
      return false;
    auto done = mayCrash ? runForeignThatMayCrash(work) : runForeign(work);
    return !done || note(where + " " + *done);
  }

  /// Notes the fault \p what; false.
  bool note(const std::string &what) {
    problem = what;
    faults.add({target, origin, what});
    return false;
  }

  backend::Refusal refusal() const {
    return tidy({target + ".fault",
                 fmt::format("the backend {} is at fault: its {}", target, *problem), *problem,
                 "what backend/api promises",
                 fmt::format("repair {}, or leave {} out of --target", origin, target)},
                target);
  }

private:
  const std::string target, origin;
  const bool mayCrash;
  FaultLog &faults;
  std::optional<SignalCatcher> catcher;
  std::optional<std::string> problem;
};

class GuardedPattern : public backend::Pattern {
public:
  GuardedPattern(Fence &fence, const backend::Pattern &inner, std::string name)
      : fence(fence), inner(inner), own(std::move(name)) {}

  std::string name() const override { return own; }

  std::optional<backend::Match> match(mlir::Operation *root) const override {
    std::optional<backend::Match> made;
    if (!fence.call("match of " + own, [&] { made = inner.match(root); }) || !made)
      return std::nullopt;
    if (auto problem = checkMatch(*made, root)) {
      fence.note("match of " + own + " " + *problem);
      return std::nullopt;
    }
    return made;
  }

  std::optional<backend::Refusal> check(const backend::Match &match) const override {
    std::optional<backend::Refusal> refusal;
    if (!fence.call("check of " + own, [&] { refusal = inner.check(match); }))
      return fence.refusal();
    return refusal ? std::optional(tidy(std::move(*refusal), fence.name())) : std::nullopt;
  }

private:
  Fence &fence;
  const backend::Pattern &inner;
  const std::string own;
};

class GuardedBackend : public backend::Backend {
public:
  GuardedBackend(const BackendEntry &entry, bool mayCrash, bool eager, FaultLog &faults)
      : fence(entry, mayCrash, faults), eager(eager) {}

  ~GuardedBackend() override {
    // What crashed or threw half-way may not be fit to be destroyed.
    if (fence.fault())
      leaked = inner.release();
    else
      fence.call("destructor", [&] { inner.reset(); });
  }

  /// Fails with the backend's own words if it refuses \p config.
  Expected<void> create(const BackendEntry &entry, mlir::MLIRContext &context,
                        const std::string &config) {
    Expected<std::unique_ptr<backend::Backend>> made;
    if (!fence.call("create", [&] { made = entry.plugin->create(context, config); }))
      return {};
    if (!made)
      return tl::unexpected(made.error());
    inner = std::move(*made);
    if (!inner)
      fence.note("create returned no backend");
    else
      readNames();
    return {};
  }

  std::string name() const override { return fence.name(); }
  std::string config() const override { return usedConfig; }

  const std::vector<std::unique_ptr<backend::Pattern>> &patterns() const override {
    static const std::vector<std::unique_ptr<backend::Pattern>> none;
    return fence.fault() ? none : table;
  }

  std::optional<backend::Refusal> takesAlone(mlir::Operation *op) const override {
    std::optional<backend::Refusal> refusal;
    if (!fence.call("takesAlone", [&] { refusal = inner->takesAlone(op); }))
      return fence.refusal();
    return refusal ? std::optional(tidy(std::move(*refusal), fence.name())) : std::nullopt;
  }

  backend::Cost cost(mlir::Operation *op) const override {
    backend::Cost cost;
    fence.call("cost", [&] { cost = inner->cost(op); });
    return {eager ? 0 : std::min(cost.computeNs, kMaxNs)};
  }

  backend::RegionCost regionCost() const override {
    backend::RegionCost cost;
    fence.call("regionCost", [&] { cost = inner->regionCost(); });
    if (eager)
      return {};
    return {std::min(cost.launchNs, kMaxNs), std::min<uint64_t>(cost.perKilobyteNs, 1u << 30)};
  }

  backend::CompileResult compile(llvm::ArrayRef<backend::PartitionFunction> functions) override {
    if (functions.empty())
      return {};
    // Copies: what the backend does to its functions is nobody else's matter.
    auto module = functions.front().function->getParentOfType<mlir::ModuleOp>().clone();
    std::vector<backend::PartitionFunction> copies;
    for (const backend::PartitionFunction &given : functions)
      copies.push_back({module.lookupSymbol<mlir::func::FuncOp>(given.symbol), given.symbol});
    backend::CompileResult result;
    if (fence.call("compile", [&] { result = inner->compile(copies); }))
      if (auto problem = checkResult(result, functions, fence.name()))
        fence.note("compile " + *problem);
    if (fence.fault())
      return giveBackAll(functions.size()); // the copies leak: they may be in any state
    module->erase();
    for (backend::CompileFailure &failure : result.failures)
      failure.refusal = tidy(std::move(failure.refusal), fence.name());
    return result;
  }

  std::vector<backend::Claim> claims() const override {
    std::vector<backend::Claim> claims;
    if (!fence.call("claims", [&] { claims = inner->claims(); }))
      return {};
    return claims;
  }

private:
  void readNames() {
    std::string called;
    if (!fence.call("name", [&] { called = inner->name(); }))
      return;
    if (called != fence.name()) {
      fence.note(fmt::format("name is \"{}\", its library says \"{}\"", called, fence.name()));
      return;
    }
    fence.call("config", [&] { usedConfig = inner->config(); });
    std::optional<std::string> problem;
    if (!fence.call("pattern table", [&] {
          problem = checkPatterns(inner->patterns(), fence.name());
          for (const auto &pattern : inner->patterns())
            if (!problem)
              table.push_back(std::make_unique<GuardedPattern>(fence, *pattern, pattern->name()));
        }))
      return;
    if (problem)
      fence.note("pattern table " + *problem);
  }

  backend::CompileResult giveBackAll(size_t functions) const {
    backend::CompileResult result;
    for (size_t i = 0; i < functions; ++i)
      result.failures.push_back({i, {}, fence.refusal()});
    return result;
  }

  mutable Fence fence;
  const bool eager; ///< asks no price
  std::unique_ptr<backend::Backend> inner;
  backend::Backend *leaked = nullptr;
  std::vector<std::unique_ptr<backend::Pattern>> table;
  std::string usedConfig;
};

} // namespace

void FaultLog::add(partition::BackendFault fault) { all.push_back(std::move(fault)); }

Expected<std::unique_ptr<backend::Backend>> createGuarded(const BackendEntry &entry, bool mayCrash,
                                                          mlir::MLIRContext &context,
                                                          const TargetSpec &target,
                                                          FaultLog &faults) {
  auto guarded = std::make_unique<GuardedBackend>(entry, mayCrash, target.eager, faults);
  if (auto ok = guarded->create(entry, context, target.config); !ok)
    return tl::unexpected(ok.error());
  return guarded;
}

} // namespace tenon::compiler
