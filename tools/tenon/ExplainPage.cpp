// SPDX-License-Identifier: Apache-2.0
// Writes the page, section by section; all text from files goes through escapeHtml.
#include "tools/tenon/ExplainPage.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/tenon/ExplainStyle.h"
#include "tools/tenon/GraphLayout.h"
#include "tools/tenon/Html.h"

namespace tenon::cli {
namespace {

using partition::OperatorReport;
using partition::Report;

/// A name from a file, kept from turning the line around it.
std::string isolated(const std::string &name) { return "<bdi>" + escapeHtml(name) + "</bdi>"; }

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, "\u00a0");
  return text;
}

class Page {
public:
  Page(const Report &report, const Summary &summary) : report(report), summary(summary) {
    for (size_t i = 0; i < report.operators.size(); ++i)
      place[report.operators[i].index] = i;
    for (size_t part = 0; part < report.partitions.size(); ++part) {
      for (int64_t index : report.partitions[part].operators)
        partitionOf.try_emplace(index, part);
      addShade(report.partitions[part].target);
    }
  }

  std::string write(const std::string &model, const std::string &targets) {
    out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    add("<title>{}: what runs where</title>\n<style>{}</style>\n</head>\n<body>\n",
        escapeHtml(model), kExplainStyle);
    add("<header><h1>{}</h1>\n<p class=\"soft\">What runs where, and why, for targets "
        "{}</p></header>"
        "\n<main>\n",
        isolated(model), isolated(targets));
    writeFacts();
    writeFaults();
    writeRules();
    writeGraph();
    writePartitions();
    writeOperators();
    return out + "</main>\n</body>\n</html>\n";
  }

private:
  template <typename... Args> void add(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  }

  /// A class of the style sheet for the next partition, of \p target.
  void addShade(const std::string &target) {
    char hue = 'h';
    if (target != kHost)
      hue = hues.try_emplace(target, char('a' + hues.size() % 5)).first->second;
    shades.push_back(fmt::format("{}{}", hue, partsOf[target]++ % 2));
  }

  std::string shadeOf(const OperatorReport &op) const {
    auto part = partitionOf.find(op.index);
    return part == partitionOf.end() ? "h0" : shades[part->second];
  }

  /// "mortise, partition 2"
  std::string whereOf(const OperatorReport &op) const {
    auto part = partitionOf.find(op.index);
    return part == partitionOf.end()
               ? escapeHtml(op.target)
               : fmt::format("{}, partition {}", escapeHtml(op.target), part->second);
  }

  void writeFacts() {
    const double npu = summary.macs ? 1 - double(summary.hostMacs) / double(summary.macs) : 0;
    add("<ul class=\"facts\">\n<li><b>{}</b>operators</li>\n<li><b>{}</b>of them on the host</li>\n"
        "<li><b>{}</b>of MACs off the host</li>\n<li><b>{}</b>partitions</li>\n</ul>\n",
        summary.operators, summary.hostOperators, percent(npu), report.partitions.size());
  }

  void writeFaults() {
    if (report.faults.empty())
      return;
    add("<section class=\"faults\" aria-labelledby=\"faults\"><h2 id=\"faults\">Faults of backends"
        "</h2>\n<p>Their operators run elsewhere.</p>\n<ul>\n");
    for (const partition::BackendFault &fault : report.faults)
      add("<li>{} ({}): {}</li>\n", escapeHtml(fault.target), isolated(fault.origin),
          isolated(fault.problem));
    out += "</ul></section>\n";
  }

  void writeRules() {
    out += "<h2 id=\"rules\">What keeps work on the host</h2>\n";
    if (summary.rules.empty()) {
      out += summary.hostOperators ? "<p>No preferred target refused anything.</p>\n"
                                   : "<p>Nothing: no operator runs on the host.</p>\n";
      return;
    }
    out +=
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"rules\"><table>\n"
        "<caption>By MACs. A rule counts where it is the first in an operator's way; another may "
        "follow.</caption>\n<thead><tr><th scope=\"col\">Lifting the rule</th><th scope=\"col\">"
        "Takes</th><th scope=\"col\" class=\"number\">MACs</th><th scope=\"col\">Share</th>"
        "<th scope=\"col\">Operators</th><th scope=\"col\">Or change the model</th></tr></thead>\n"
        "<tbody>\n";
    for (const RuleCost &rule : summary.rules)
      writeRule(rule);
    out += "</tbody></table></div>\n";
  }

  void writeRule(const RuleCost &rule) {
    add("<tr><th scope=\"row\"><code>{}</code><br><span class=\"soft\">{}</span></th><td>{}</td>"
        "<td class=\"number\">{}</td><td>{}<span class=\"track\"><span style=\"width:{:.1f}%\">"
        "</span></span></td><td>{}</td><td>{}</td></tr>\n",
        escapeHtml(rule.rule), escapeHtml(sentenceOf(rule)),
        escapeHtml(fmt::format("{}", fmt::join(rule.limits, "; "))), grouped(rule.macs),
        percent(rule.share), rule.share * 100, linksTo(rule.operators),
        escapeHtml(fmt::format("{}", fmt::join(rule.remedies, "; "))));
  }

  static std::string linksTo(const std::vector<int64_t> &operators) {
    std::string text;
    for (int64_t index : operators)
      text += fmt::format("{}<a href=\"#op{}\">{}</a>", text.empty() ? "" : " ", index, index);
    return text;
  }

  void writeGraph() {
    std::vector<std::vector<size_t>> before;
    for (const OperatorReport &op : report.operators) {
      before.emplace_back();
      for (int64_t input : op.inputs)
        if (auto found = place.find(input); found != place.end())
          before.back().push_back(found->second);
    }
    const GraphLayout layout = layOut(before);
    out +=
        "<h2 id=\"graph\">Graph</h2>\n<p class=\"soft\">Point at an operator, or reach it with the "
        "Tab key, for its reasons; follow it to its row below.</p>\n";
    writeLegend();
    // Room below the last row for its reasons.
    add("<div class=\"wide graph\" tabindex=\"0\" role=\"region\" aria-labelledby=\"graph\">"
        "<div class=\"sheet\" style=\"width:{}px;height:{}px\">\n",
        layout.width, layout.height + 140);
    writeEdges(layout);
    for (size_t i = 0; i < report.operators.size(); ++i)
      writeNode(report.operators[i], layout, layout.nodes[i]);
    out += "</div></div>\n";
  }

  void writeLegend() {
    std::map<std::string, size_t> counts;
    for (const OperatorReport &op : report.operators)
      ++counts[op.target];
    out += "<ul class=\"legend\" aria-label=\"Colours\">\n";
    for (const auto &[target, count] : counts)
      add("<li class=\"{}0\">{}: {}</li>\n", target == kHost ? 'h' : hues[target],
          escapeHtml(target), countOf(count, "operator"));
    out += "</ul>\n";
  }

  void writeEdges(const GraphLayout &layout) {
    add("<svg width=\"{}\" height=\"{}\" aria-hidden=\"true\">\n", layout.width, layout.height);
    for (const GraphLayout::Edge &edge : layout.edges) {
      add("<path d=\"M{} {}", edge.points.front().x, edge.points.front().y);
      for (size_t i = 1; i < edge.points.size(); ++i) {
        const Point &a = edge.points[i - 1], &b = edge.points[i];
        const int half = (a.y + b.y) / 2;
        add("C{} {} {} {} {} {}", a.x, half, b.x, half, b.x, b.y);
      }
      out += "\"/>\n";
    }
    out += "</svg>\n";
  }

  void writeNode(const OperatorReport &op, const GraphLayout &layout, const Point &at) {
    const bool right = at.x + GraphLayout::kNodeWidth / 2 > layout.width / 2 && layout.width > 500;
    add("<a class=\"node {}{}\" href=\"#op{}\" aria-describedby=\"tip{}\" "
        "style=\"left:{}px;top:{}px;width:{}px;height:{}px\">"
        "<b>{} {}</b><i>{}</i><span class=\"tip\" id=\"tip{}\"><span><b>{}</b></span><span>Runs on "
        "{}.</span>",
        shadeOf(op), right ? " right" : "", op.index, op.index, at.x, at.y, GraphLayout::kNodeWidth,
        GraphLayout::kNodeHeight, op.index, escapeHtml(op.type), whereOf(op), op.index,
        isolated(op.name), whereOf(op));
    if (!op.shape.empty())
      add("<span>Result {}.</span>", escapeHtml(op.shape));
    if (!op.composite.empty())
      add("<span>Part of {}.</span>", escapeHtml(op.composite));
    if (op.macs)
      add("<span>{} MACs.</span>", grouped(op.macs));
    for (const auto &[target, refusal] : op.refusals)
      add("<span>Not on {}: {} ({}); {}</span>", escapeHtml(target), isolated(refusal.reason),
          escapeHtml(refusal.rule), isolated(refusal.remedy));
    out += "</span></a>\n";
  }

  void writePartitions() {
    out +=
        "<h2 id=\"partitions\">Partitions, in order of execution</h2>\n"
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"partitions\"><table>"
        "\n<thead><tr><th scope=\"col\" class=\"number\">#</th><th scope=\"col\">Target</th>"
        "<th scope=\"col\" class=\"number\">MACs</th><th scope=\"col\">Operators</th></tr></thead>"
        "\n<tbody>\n";
    for (size_t i = 0; i < report.partitions.size(); ++i) {
      uint64_t macs = 0;
      for (int64_t index : report.partitions[i].operators)
        if (auto found = place.find(index); found != place.end())
          macs += report.operators[found->second].macs;
      add("<tr><th scope=\"row\" class=\"number\">{}</th><td class=\"{}\">{}</td><td "
          "class=\"number\">"
          "{}</td><td>{}</td></tr>\n",
          i, shades[i], escapeHtml(report.partitions[i].target), grouped(macs),
          linksTo(report.partitions[i].operators));
    }
    out += "</tbody></table></div>\n";
  }

  void writeOperators() {
    out +=
        "<h2 id=\"operators\">Operators</h2>\n"
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"operators\"><table>\n"
        "<thead><tr><th scope=\"col\" class=\"number\">#</th><th scope=\"col\">Operator</th>"
        "<th scope=\"col\">Name</th><th scope=\"col\">Runs on</th><th scope=\"col\">As</th>"
        "<th scope=\"col\" class=\"number\">MACs</th><th scope=\"col\">Why not elsewhere</th></tr>"
        "</thead>\n<tbody>\n";
    for (const OperatorReport &op : report.operators)
      add("<tr id=\"op{}\"><th scope=\"row\" class=\"number\">{}</th><td>{}</td><td>{}</td>"
          "<td class=\"{}\">{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
          op.index, op.index, escapeHtml(op.type), isolated(op.name), shadeOf(op), whereOf(op),
          escapeHtml(op.composite), op.macs ? grouped(op.macs) : "", reasonsOf(op));
    out += "</tbody></table></div>\n";
  }

  static std::string reasonsOf(const OperatorReport &op) {
    std::string text;
    for (const auto &[target, refusal] : op.refusals)
      text +=
          fmt::format("<p class=\"rule\">Not on {}: {}. Rule <code>{}</code>: {}, takes {}. {}</p>",
                      escapeHtml(target), isolated(refusal.reason), escapeHtml(refusal.rule),
                      isolated(refusal.value), isolated(refusal.limit), isolated(refusal.remedy));
    return text;
  }

  const Report &report;
  const Summary &summary;
  std::map<int64_t, size_t> place, partitionOf;
  std::map<std::string, char> hues;
  std::map<std::string, size_t> partsOf;
  std::vector<std::string> shades; ///< by partition
  std::string out;
};

} // namespace

std::string explainPage(const std::string &model, const std::string &targets, const Report &report,
                        const Summary &summary) {
  return Page(report, summary).write(model, targets);
}

} // namespace tenon::cli
