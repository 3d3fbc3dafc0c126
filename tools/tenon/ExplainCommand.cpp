// SPDX-License-Identifier: Apache-2.0
// tenon explain: operator by operator, where it runs, why, and what would change that.
#include <CLI/CLI.hpp>

#include "support/Files.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/ExplainPage.h"
#include "tools/tenon/Faults.h"
#include "tools/tenon/Interrupt.h"
#include "tools/tenon/Json.h"
#include "tools/tenon/ModelOptions.h"

namespace tenon::cli {
namespace {

using partition::OperatorReport;
using partition::Report;

Json jsonOf(const backend::Refusal &refusal) {
  return {{"rule", refusal.rule},
          {"value", refusal.value},
          {"limit", refusal.limit},
          {"remedy", refusal.remedy}};
}

Json jsonOf(const OperatorReport &op) {
  Json refusals = Json::array();
  for (const auto &[target, refusal] : op.refusals) {
    Json row = {{"target", target}};
    row.update(jsonOf(refusal));
    refusals.push_back(row);
  }
  return {{"index", op.index},
          {"name", op.name},
          {"type", op.type},
          {"target", op.target},
          {"reason", op.refusals.empty() ? Json() : jsonOf(op.refusals.front().refusal)},
          {"refusals", refusals},
          {"composite", op.composite},
          {"shape", op.shape},
          {"inputs", op.inputs},
          {"macs", op.macs}};
}

Json jsonOf(const RuleCost &rule) {
  return {{"target", rule.target},     {"rule", rule.rule},       {"limits", rule.limits},
          {"macs", rule.macs},         {"share", rule.share},     {"operators", rule.operators},
          {"remedies", rule.remedies}, {"text", sentenceOf(rule)}};
}

Json jsonOf(const Summary &summary) {
  Json rules = Json::array();
  for (const RuleCost &rule : summary.rules)
    rules.push_back(jsonOf(rule));
  return {{"macs", summary.macs}, {"host_macs", summary.hostMacs}, {"rules", rules}};
}

Json jsonOf(const Report &report, const Summary &summary) {
  Json operators = Json::array(), partitions = Json::array();
  for (const OperatorReport &op : report.operators)
    operators.push_back(jsonOf(op));
  for (const auto &part : report.partitions)
    partitions.push_back({{"target", part.target}, {"operators", part.operators}});
  return {{"operators", operators},
          {"host_operators", summary.hostOperators},
          {"partitions", partitions},
          {"summary", jsonOf(summary)},
          {"faults", faultsJson(report.faults)}};
}

/// "not on mortise: stride 5 exceeds 4 (mortise.stride); use stride 4 or less"; value and limit are
/// added where the reason does not hold them.
std::string why(const partition::TargetRefusal &no) {
  const backend::Refusal &refusal = no.refusal;
  auto told = [&](const std::string &text) {
    return refusal.reason.find(text) != std::string::npos;
  };
  std::string text = fmt::format("not on {}: {} ({}", no.target, refusal.reason, refusal.rule);
  if (!told(refusal.value))
    text += ": " + refusal.value;
  if (!told(refusal.limit))
    text += ", takes " + refusal.limit;
  text += ")";
  return refusal.remedy.empty() ? text : text + "; " + refusal.remedy;
}

std::string why(const OperatorReport &op) {
  std::string text;
  for (const partition::TargetRefusal &no : op.refusals)
    text += (text.empty() ? "" : "; ") + why(no);
  return text.empty() ? op.composite : text;
}

std::string rulesText(const Summary &summary) {
  std::string text = summary.rules.empty() ? "" : "\nwhat keeps work on the host, by MACs:\n";
  for (const RuleCost &rule : summary.rules)
    text += fmt::format("  {}\n", printable(sentenceOf(rule)));
  return text;
}

std::string textOf(const Report &report, const Summary &summary) {
  std::vector<std::vector<std::string>> rows = {{"#", "operator", "runs on", "name", "why"}};
  for (const OperatorReport &op : report.operators)
    rows.push_back({fmt::to_string(op.index), printable(op.type), op.target, printable(op.name),
                    printable(why(op))});
  std::string text = formatTable(rows);
  text += fmt::format("\n{} operators, {} on the host; {} partitions:\n", report.operators.size(),
                      summary.hostOperators, report.partitions.size());
  for (const auto &part : report.partitions)
    text += fmt::format("  {}: operators {}\n", part.target, fmt::join(part.operators, " "));
  return text + rulesText(summary);
}

class ExplainCommand : public Command {
public:
  void declare(CLI::App &app) override {
    model.declare(app, "MODEL");
    app.add_flag("--json", json, "Print a JSON object");
    app.add_option("--html", html, "Also write a page with graph and tables, for any browser")
        ->option_text("FILE");
  }

  Expected<ExitCode> run() override {
    auto compiled = compileFile(model);
    if (!compiled)
      return tl::unexpected(compiled.error());
    const Report &report = compiled->report;
    const Summary summary = summarize(report);
    if (auto written = writePage(report, summary); !written)
      return tl::unexpected(written.error());
    auto printed =
        json ? printJson(jsonOf(report, summary)) : print(textOf(report, summary) + pageLine());
    return printed.map([] { return kDone; });
  }

private:
  Expected<void> writePage(const Report &report, const Summary &summary) {
    if (html.empty())
      return {};
    const std::string page = explainPage(fileNameOf(model.path), model.targets, report, summary);
    UninterruptedWrite guard;
    return writeFile(html, {reinterpret_cast<const uint8_t *>(page.data()), page.size()});
  }

  std::string pageLine() const {
    return html.empty() ? "" : fmt::format("\npage: {}\n", printable(html));
  }

  ModelOptions model;
  std::string html;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeExplainCommand() { return std::make_unique<ExplainCommand>(); }

} // namespace tenon::cli
