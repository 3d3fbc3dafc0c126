// SPDX-License-Identifier: Apache-2.0
// tenon explain: operator by operator, where it runs, why, and what would change that.
#include <CLI/CLI.hpp>

#include "tools/tenon/Commands.h"
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
          {"macs", op.macs}};
}

size_t countOnHost(const Report &report) {
  size_t count = 0;
  for (const OperatorReport &op : report.operators)
    count += op.target == "host";
  return count;
}

Json jsonOf(const Report &report) {
  Json operators = Json::array(), partitions = Json::array();
  for (const OperatorReport &op : report.operators)
    operators.push_back(jsonOf(op));
  for (const auto &part : report.partitions)
    partitions.push_back({{"target", part.target}, {"operators", part.operators}});
  return {{"operators", operators},
          {"host_operators", countOnHost(report)},
          {"partitions", partitions}};
}

/// "stays on host: stride 5 exceeds 4 (mortise.conv.stride); use stride 4 or less"
std::string why(const OperatorReport &op) {
  std::string text;
  for (const auto &[target, refusal] : op.refusals)
    text +=
        fmt::format("{}not on {}: {} ({}){}{}", text.empty() ? "" : "; ", target, refusal.reason,
                    refusal.rule, refusal.remedy.empty() ? "" : "; ", refusal.remedy);
  return text.empty() ? op.composite : text;
}

std::string textOf(const Report &report) {
  std::vector<std::vector<std::string>> rows = {{"#", "operator", "runs on", "name", "why"}};
  for (const OperatorReport &op : report.operators)
    rows.push_back({fmt::to_string(op.index), printable(op.type), op.target, printable(op.name),
                    printable(why(op))});
  std::string text = formatTable(rows);
  text += fmt::format("\n{} operators, {} on the host; {} partitions:\n", report.operators.size(),
                      countOnHost(report), report.partitions.size());
  for (const auto &part : report.partitions)
    text += fmt::format("  {}: operators {}\n", part.target, fmt::join(part.operators, " "));
  return text;
}

class ExplainCommand : public Command {
public:
  void declare(CLI::App &app) override {
    model.declare(app, "MODEL");
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    auto compiled = compileFile(model);
    if (!compiled)
      return tl::unexpected(compiled.error());
    auto printed = json ? printJson(jsonOf(compiled->report)) : print(textOf(compiled->report));
    return printed.map([] { return kDone; });
  }

private:
  ModelOptions model;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeExplainCommand() { return std::make_unique<ExplainCommand>(); }

} // namespace tenon::cli
