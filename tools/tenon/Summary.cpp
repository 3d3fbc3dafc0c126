// SPDX-License-Identifier: Apache-2.0
// Groups refusals of operators on the host by target and rule.
#include "tools/tenon/Summary.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::cli {
namespace {

void addOnce(std::vector<std::string> &list, const std::string &text) {
  if (!text.empty() && std::ranges::find(list, text) == list.end())
    list.push_back(text);
}

bool isNumber(const std::string &text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// What the rule takes, to stand after its id: " <= 4", " (takes int8 or uint8)".
std::string limitsOf(const RuleCost &rule) {
  if (rule.limits.size() == 1)
    return isNumber(rule.limits.front()) ? " <= " + rule.limits.front()
                                         : " (takes " + rule.limits.front() + ")";
  return "";
}

} // namespace

Summary summarize(const partition::Report &report) {
  Summary summary;
  std::map<std::pair<std::string, std::string>, RuleCost> byRule;
  for (const partition::OperatorReport &op : report.operators) {
    ++summary.operators;
    summary.macs += op.macs;
    if (op.target != kHost)
      continue;
    ++summary.hostOperators;
    summary.hostMacs += op.macs;
    for (const auto &[target, refusal] : op.refusals) {
      RuleCost &cost = byRule[{target, refusal.rule}];
      cost.target = target;
      cost.rule = refusal.rule;
      addOnce(cost.limits, refusal.limit);
      addOnce(cost.remedies, refusal.remedy);
      cost.operators.push_back(op.index);
      cost.macs += op.macs;
    }
  }
  for (auto &[key, cost] : byRule) {
    cost.share = summary.macs ? double(cost.macs) / double(summary.macs) : 0;
    summary.rules.push_back(std::move(cost));
  }
  std::ranges::stable_sort(summary.rules, [](const RuleCost &a, const RuleCost &b) {
    return a.macs != b.macs ? a.macs > b.macs : a.operators.size() > b.operators.size();
  });
  return summary;
}

std::string sentenceOf(const RuleCost &rule) {
  const std::string count = countOf(rule.operators.size(), "operator");
  const std::string moved = rule.macs ? fmt::format("{} of MACs ({})", percent(rule.share), count)
                                      : count + " without MACs";
  return fmt::format("lifting {}{} would move {} to {}", rule.rule, limitsOf(rule), moved,
                     rule.target);
}

std::string percent(double share) {
  const double hundred = share * 100;
  if (hundred > 0 && hundred < 0.1)
    return "under 0.1 %";
  return fmt::format("{:.{}f} %", hundred, hundred < 10 && hundred > 0 ? 1 : 0);
}

std::string countOf(size_t count, const std::string &what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

} // namespace tenon::cli
