// SPDX-License-Identifier: Apache-2.0
// A trial on the target against the same trial on the last resort alone.
#include "conform/Judge.h"

#include <algorithm>
#include <chrono>

#include "conform/WriteModel.h"

namespace tenon::conform {
namespace {

using compiler::Compilation;
using compiler::TargetSpec;

class Judge {
public:
  Judge(const Suite &suite, const TargetSpec &target, const TargetSpec &reference, const Plan &plan)
      : suite(suite), target(target), reference(reference), plan(plan) {}

  Expected<Outcome> run(const Trial &trial) {
    Outcome outcome{trial, Verdict::Failed, "", 0};
    const Bytes model = writeModel(trial.that);
    const auto start = std::chrono::steady_clock::now();
    auto compiled = compile(model, {target, reference});
    outcome.compileMilliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!compiled)
      outcome.detail = compiled.error().message;
    else if (!compiled->report.faults.empty())
      outcome.detail = "the backend is at fault: its " + compiled->report.faults.front().problem;
    else if (!isTaken(*compiled))
      judgeRefusal(*compiled, outcome);
    else if (auto judged = judgeTaken(*compiled, model, outcome); !judged)
      return tl::unexpected(judged.error());
    return outcome;
  }

private:
  Expected<Compilation> compile(const Bytes &model, std::vector<TargetSpec> targets) const {
    compiler::CompileOptions options;
    options.targets = std::move(targets);
    options.plugins = suite.plugins;
    return compiler::compileModel(model, "case.tflite", options);
  }

  bool isTaken(const Compilation &compiled) const {
    return !compiled.report.operators.empty() &&
           compiled.report.operators.front().target == target.name;
  }

  void judgeRefusal(const Compilation &compiled, Outcome &outcome) const {
    std::string rule = "no rule";
    for (const auto &op : compiled.report.operators)
      for (const auto &refusal : op.refusals)
        if (refusal.target == target.name) {
          rule = refusal.refusal.rule;
          outcome.detail = fmt::format("{} ({})", refusal.refusal.reason, rule);
        }
    const bool unknown = plan.unknownRules.contains(rule);
    if (outcome.trial.taken)
      outcome.verdict = unknown ? Verdict::UnknownLimit : Verdict::WronglyRefused;
    else if (outcome.trial.rules.contains(rule))
      outcome.verdict = Verdict::Refused;
    else
      outcome.verdict = unknown ? Verdict::UnknownLimit : Verdict::Undocumented;
  }

  /// Fails if the reference does not compile or run.
  Expected<void> judgeTaken(const Compilation &ours, const Bytes &model, Outcome &outcome) const {
    if (!outcome.trial.taken) {
      outcome.verdict = Verdict::WronglyTaken;
      outcome.detail = fmt::format("breaks {}", fmt::join(outcome.trial.rules, ", "));
      return {};
    }
    auto theirs = compile(model, {reference});
    if (!theirs)
      return fail(theirs.error(), "the reference does not compile " + describe(outcome.trial.that));
    outcome.verdict = Verdict::Right;
    for (int round = 0; round < kRounds && outcome.verdict == Verdict::Right; ++round) {
      const std::vector<Bytes> inputs = inputsOf(outcome.trial.that, round);
      auto right = suite.runner(theirs->package, inputs);
      if (!right)
        return fail(right.error(), "the reference does not run");
      auto got = suite.runner(ours.package, inputs);
      if (got)
        compare(*right, *got, outcome);
      else
        outcome.verdict = Verdict::Failed, outcome.detail = got.error().message;
    }
    return {};
  }

  static std::vector<Bytes> inputsOf(const Case &that, int round) {
    std::vector<Bytes> inputs;
    for (size_t i = 0; i < inputCount(that); ++i)
      inputs.push_back(inputOf(that, i, round));
    return inputs;
  }

  static void compare(const std::vector<Bytes> &right, const std::vector<Bytes> &got,
                      Outcome &outcome) {
    const Bytes &a = right.front(), &b = got.front();
    size_t different = 0, first = a.size();
    for (size_t i = 0; i < a.size() && i < b.size(); ++i)
      if (a[i] != b[i] && different++ == 0)
        first = i;
    if (a.size() == b.size() && different == 0)
      return;
    outcome.verdict = Verdict::WrongBits;
    outcome.detail =
        a.size() != b.size()
            ? fmt::format("{} bytes instead of {}", b.size(), a.size())
            : fmt::format("{} of {} values differ, the first at {}: {} instead of {}", different,
                          a.size(), first, int(int8_t(b[first])), int(int8_t(a[first])));
  }

  const Suite &suite;
  const TargetSpec &target, &reference;
  const Plan &plan;
};

} // namespace

bool isWrong(Verdict verdict) {
  return verdict != Verdict::Right && verdict != Verdict::Refused &&
         verdict != Verdict::UnknownLimit;
}

const char *nameOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Right:
    return "right";
  case Verdict::Refused:
    return "refused as documented";
  case Verdict::WrongBits:
    return "wrong bits";
  case Verdict::WronglyRefused:
    return "refused within its claims";
  case Verdict::WronglyTaken:
    return "taken outside its claims";
  case Verdict::Undocumented:
    return "refused for another rule";
  case Verdict::Failed:
    return "failed";
  case Verdict::UnknownLimit:
    return "refused for a limit not tried";
  }
  return "";
}

Expected<Result> tryTarget(const Suite &suite) {
  auto targets = compiler::parseTargets(suite.target);
  if (!targets)
    return fail(targets.error(), "--target");
  if (targets->size() != 2)
    return fail("--target {}: one target other than {} is tried at a time", suite.target,
                targets->back().name);
  targets->front().eager = true;
  auto claims = compiler::claimsOf(targets->front(), suite.plugins);
  if (!claims)
    return tl::unexpected(claims.error());
  if (claims->empty())
    return fail("target {} claims nothing; let its Backend::claims() tell its limits",
                targets->front().name);
  Plan plan = planTrials(*claims, suite.ordinary, suite.seed);
  Judge judge(suite, targets->front(), targets->back(), plan);
  Result result{{}, plan.untried};
  for (const Trial &trial : plan.trials) {
    auto outcome = judge.run(trial);
    if (!outcome)
      return tl::unexpected(outcome.error());
    if (suite.each)
      suite.each(*outcome, result.outcomes.size());
    result.outcomes.push_back(std::move(*outcome));
  }
  return result;
}

} // namespace tenon::conform
