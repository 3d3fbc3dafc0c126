// SPDX-License-Identifier: Apache-2.0
// The table of constraints. Limits are field widths of the manual's descriptors and commands.
#include "backend/mortise/select/Constraints.h"

#include <algorithm>

#include <fmt/format.h>

namespace tenon::mortise {
namespace {

constexpr Constraint kTable[] = {
    {"mortise.operator", "all", "operator", -1, "an operator of docs/operators.md",
     "leave it to the host, or use another operator"},
    {"mortise.type", "all", "element type", -1, "int8 or uint8", "quantise the model to int8"},
    {"mortise.form", "all", "form", -1, "the int8 form of docs/ir.md",
     "quantise all tensors of the operator to int8 with constant scales"},
    {"mortise.weights", "convolutions", "weights", -1, "constants", "make the weights constant"},
    {"mortise.bias", "convolutions", "bias", -1, "constants", "make the bias constant"},
    {"mortise.zero_point", "all", "zero point", -1, "one constant a tensor",
     "quantise a tensor with one zero point for all its readers"},
    {"mortise.kernel", "convolutions, pooling", "kernel", 255, "", "use a kernel of 255 or less"},
    {"mortise.stride", "convolutions, pooling", "stride", 255, "", "use stride 255 or less"},
    {"mortise.dilation", "convolutions", "dilation", 255, "", "use dilation 255 or less"},
    {"mortise.padding", "convolutions, pooling", "padding", 255, "", "pad by 255 or less"},
    {"mortise.channel_multiplier", "depthwise convolution", "channel multiplier", 255, "",
     "use a channel multiplier of 255 or less"},
    {"mortise.channels", "all", "channels", 65535, "", "split the channels"},
    {"mortise.extent", "all", "rows or columns", 65535, "", "split the rows or columns"},
    {"mortise.batch", "windows wider than 1x1, means", "batch", 1, "", "run one sample a call"},
    {"mortise.shift", "means", "shift", 62, "", "use a scale above 2^-31"},
    {"mortise.operands", "element-wise", "computed operands", 2, "", "split the operator"},
    {"mortise.operand", "element-wise, concatenation", "operand", -1,
     "computed, or a constant of one value", "compute the operand, or make it one value"},
    {"mortise.broadcast", "element-wise", "broadcast", -1,
     "one operand of the result's shape, the other 1 where it is repeated",
     "give both operands the result's shape"},
    {"mortise.program", "element-wise", "program", -1, "16 micro-ops that the manual has",
     "split the operator"},
    {"mortise.axis", "concatenation, padding, slice", "axis", -1,
     "one with only dimensions of 1 left of it", "run one sample a call"},
    {"mortise.mean", "mean", "mean", -1, "over rows, columns or channels of one sample",
     "take the mean over rows, columns or channels"},
    {"mortise.softmax", "softmax", "channels", 4095, "", "use 4095 classes or fewer"},
    {"mortise.memory", "all", "layer", -1, "one whose tile fits in SRAM",
     "use fewer channels or a smaller kernel, or a larger configuration"},
};

const Constraint &find(std::string_view rule) {
  auto found = std::ranges::find(kTable, rule, &Constraint::rule);
  return found == std::end(kTable) ? kTable[0] : *found;
}

} // namespace

std::span<const Constraint> constraints() { return kTable; }

backend::Refusal refuse(std::string_view rule, const std::string &value) {
  const Constraint &row = find(rule);
  const std::string limit = row.limit >= 0 ? std::to_string(row.limit) : std::string(row.taken);
  const std::string reason = row.limit >= 0
                                 ? fmt::format("{} {} exceeds {}", row.quantity, value, limit)
                                 : fmt::format("{} is {}, not {}", row.quantity, value, limit);
  return {std::string(row.rule), reason, value, limit, std::string(row.remedy)};
}

std::optional<backend::Refusal> check(const std::vector<patterns::Finding> &findings) {
  for (const patterns::Finding &finding : findings) {
    const std::string rule = "mortise." + finding.rule;
    if (find(rule).limit < 0)
      return refuse(rule, finding.text);
    if (finding.number > find(rule).limit)
      return refuse(rule, std::to_string(finding.number));
  }
  return std::nullopt;
}

std::string constraintsPage() {
  std::string page =
      "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
      "<!-- Generated from backend/mortise/select/Constraints.cpp by "
      "mortise-constraints; do not edit. -->\n"
      "# What Mortise takes\n\n"
      "What breaks a rule runs on the next target; `tenon explain` prints the rule.\n\n"
      "| rule | operators | quantity | taken | otherwise |\n|---|---|---|---|---|\n";
  for (const Constraint &row : kTable)
    page += fmt::format(
        "| `{}` | {} | {} | {} | {} |\n", row.rule, row.operators, row.quantity,
        row.limit >= 0 ? fmt::format("up to {}", row.limit) : std::string(row.taken), row.remedy);
  return page;
}

} // namespace tenon::mortise
