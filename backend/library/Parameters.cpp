// SPDX-License-Identifier: Apache-2.0
// The numbers of an operator that a limit may name: one row a parameter.
#include <algorithm>
#include <functional>

#include "backend/library/Limits.h"

namespace tenon::library {
namespace {

using Numbers = std::vector<int64_t>;

template <typename Work> struct Parameter {
  const char *name, *meaning;
  Numbers (*read)(const Work &);
};

const Parameter<Convolution> kConvolution[] = {
    {"batch", "samples", [](const Convolution &c) { return Numbers{c.in.n}; }},
    {"input_size", "rows and columns in",
     [](const Convolution &c) { return Numbers{c.in.h, c.in.w}; }},
    {"input_channels", "channels in", [](const Convolution &c) { return Numbers{c.in.c}; }},
    {"output_size", "rows and columns out",
     [](const Convolution &c) { return Numbers{c.out.h, c.out.w}; }},
    {"output_channels", "channels out", [](const Convolution &c) { return Numbers{c.out.c}; }},
    {"kernel", "rows and columns of the window",
     [](const Convolution &c) { return Numbers{c.kernel.h, c.kernel.w}; }},
    {"stride", "steps down and right",
     [](const Convolution &c) { return Numbers{c.stride.h, c.stride.w}; }},
    {"dilation", "distance of taps down and right",
     [](const Convolution &c) { return Numbers{c.dilation.h, c.dilation.w}; }},
    {"padding", "on the four sides",
     [](const Convolution &c) {
       return Numbers{c.padding.top, c.padding.bottom, c.padding.left, c.padding.right};
     }},
    {"channel_multiplier", "channels out a channel in, depthwise",
     [](const Convolution &c) { return Numbers{c.channelMultiplier}; }},
    {"window", "products a sum: taps times channels in (depthwise: taps)",
     [](const Convolution &c) {
       return Numbers{c.macs() / std::max<int64_t>(1, c.out.elements())};
     }},
    {"input_zero_point", "as int8", [](const Convolution &c) { return Numbers{c.inputZeroPoint}; }},
    {"weight_zero_point", "0 but for networks that were uint8",
     [](const Convolution &c) { return Numbers{c.weightZeroPoint}; }},
    {"output_zero_point", "as int8",
     [](const Convolution &c) { return Numbers{c.requantise.zeroPoint}; }},
    {"per_channel", "1 if channels have scales of their own",
     [](const Convolution &c) { return Numbers{c.requantise.perChannel}; }},
    {"double_rounding", "1 if requantisation rounds doubly",
     [](const Convolution &c) { return Numbers{c.requantise.doubleRounding}; }},
    {"shift", "right shifts of the requantisation",
     [](const Convolution &c) {
       return Numbers(c.requantise.shifts.begin(), c.requantise.shifts.end());
     }},
};

const Parameter<Addition> kAddition[] = {
    {"elements", "of a tensor",
     [](const Addition &a) {
       int64_t count = 1;
       for (int64_t extent : a.output.shape)
         count *= extent;
       return Numbers{count};
     }},
    {"subtract", "1 for SUB", [](const Addition &a) { return Numbers{a.subtract}; }},
    {"input_zero_point", "of both, as int8",
     [](const Addition &a) { return Numbers{a.aZeroPoint, a.bZeroPoint}; }},
    {"output_zero_point", "as int8", [](const Addition &a) { return Numbers{a.outputZeroPoint}; }},
    {"left_shift", "before the inputs' scales",
     [](const Addition &a) { return Numbers{a.aLeftShift, a.bLeftShift}; }},
    {"shift", "right shifts of the three scales",
     [](const Addition &a) {
       return Numbers{a.aScale.shift, a.bScale.shift, a.outputScale.shift};
     }},
    {"double_rounding", "1 if scales round doubly",
     [](const Addition &a) { return Numbers{a.doubleRounding}; }},
};

const Parameter<Pooling> kPooling[] = {
    {"batch", "samples", [](const Pooling &p) { return Numbers{p.in.n}; }},
    {"input_size", "rows and columns in", [](const Pooling &p) { return Numbers{p.in.h, p.in.w}; }},
    {"output_size", "rows and columns out",
     [](const Pooling &p) { return Numbers{p.out.h, p.out.w}; }},
    {"channels", "in and out", [](const Pooling &p) { return Numbers{p.in.c}; }},
    {"kernel", "rows and columns of the window",
     [](const Pooling &p) { return Numbers{p.kernel.h, p.kernel.w}; }},
    {"stride", "steps down and right",
     [](const Pooling &p) { return Numbers{p.stride.h, p.stride.w}; }},
    {"padding", "on the four sides",
     [](const Pooling &p) {
       return Numbers{p.padding.top, p.padding.bottom, p.padding.left, p.padding.right};
     }},
    {"window", "elements of a window",
     [](const Pooling &p) { return Numbers{p.kernel.h * p.kernel.w}; }},
};

/// Calls \p visit with the rows of \p op, if it has any.
template <typename Visit> void withRows(Operator op, Visit visit) {
  switch (op) {
  case Operator::Conv2d:
  case Operator::DepthwiseConv2d:
  case Operator::FullyConnected:
    return visit(kConvolution);
  case Operator::Add:
    return visit(kAddition);
  case Operator::AveragePool2d:
  case Operator::MaxPool2d:
    return visit(kPooling);
  case Operator::Reshape:
  case Operator::SignFlip:
    return;
  }
}

template <typename Work, size_t N>
Numbers readRow(const Parameter<Work> (&rows)[N], const Work &work, const std::string &name) {
  auto row = std::ranges::find(rows, name, [](const auto &row) { return std::string(row.name); });
  return row == std::end(rows) ? Numbers{} : row->read(work);
}

} // namespace

int64_t Convolution::macs() const {
  return out.elements() * kernel.h * kernel.w * (depthwise ? 1 : in.c);
}

std::vector<std::string> parametersOf(Operator op) {
  std::vector<std::string> names;
  withRows(op, [&](const auto &rows) {
    for (const auto &row : rows)
      names.push_back(row.name);
  });
  return names;
}

std::vector<int64_t> numbersOf(const View &view, const std::string &parameter) {
  if (auto *convolution = std::get_if<Convolution>(&view))
    return readRow(kConvolution, *convolution, parameter);
  if (auto *addition = std::get_if<Addition>(&view))
    return readRow(kAddition, *addition, parameter);
  if (auto *pooling = std::get_if<Pooling>(&view))
    return readRow(kPooling, *pooling, parameter);
  return {};
}

std::string parameterTable() {
  std::string page = "| operations | parameter | numbers |\n|---|---|---|\n";
  const auto add = [&](const char *operations, Operator one) {
    withRows(one, [&](const auto &rows) {
      for (const auto &row : rows)
        page += fmt::format("| {} | `{}` | {} |\n", operations, row.name, row.meaning);
    });
  };
  add("conv2d, depthwise_conv2d, fully_connected", Operator::Conv2d);
  add("add", Operator::Add);
  add("average_pool2d, max_pool2d", Operator::AveragePool2d);
  return page;
}

} // namespace tenon::library
