// SPDX-License-Identifier: Apache-2.0
// Figures of a case that follow from others, and what claims call them.
#include "conform/Case.h"

#include <algorithm>
#include <cmath>

#include "frontend/tflite/Numerics.h"
#include "support/Error.h"

namespace tenon::conform {
namespace {

using Numbers = std::vector<int64_t>;

/// What a pad of SAME adds to one axis.
int64_t samePad(const Case &that, int axis) {
  if (!that.samePadding)
    return 0;
  const int64_t out = that.outputSize()[axis];
  return std::max<int64_t>((out - 1) * that.stride[axis] + that.extent(axis) - that.size[axis], 0);
}

Numbers shiftsOf(const Case &that) {
  Numbers shifts;
  const auto add = [&](double real) { shifts.push_back(tflite::quantizeMultiplier(real).shift); };
  if (that.operation == "add") {
    const double twice = 2 * std::max(double(that.inputScale), double(that.secondScale));
    add(that.inputScale / twice), add(that.secondScale / twice);
    add(twice / (double(1 << 20) * that.outputScale));
  } else
    for (float scale : that.weightScales)
      add(double(that.inputScale) * double(scale) / double(that.outputScale));
  return shifts;
}

/// Products of the convolution's accumulators are about this far from 0.
double spreadOf(const Case &that) {
  return 74.0 * 0.58 * double(that.largestWeight) * std::sqrt(double(that.windowProducts()));
}

} // namespace

const std::vector<std::string> &operations() {
  static const std::vector<std::string> all = {"conv2d", "depthwise_conv2d", "fully_connected",
                                               "add",    "average_pool2d",   "max_pool2d",
                                               "reshape"};
  return all;
}

bool Case::isConvolution() const {
  return operation == "conv2d" || operation == "depthwise_conv2d" || operation == "fully_connected";
}
bool Case::isPool() const { return operation == "average_pool2d" || operation == "max_pool2d"; }
bool Case::isWindowed() const {
  return isPool() || operation == "conv2d" || operation == "depthwise_conv2d";
}

Pair Case::outputSize() const {
  Pair out = size;
  for (int axis = 0; isWindowed() && axis < 2; ++axis)
    out[axis] = samePadding ? (size[axis] + stride[axis] - 1) / stride[axis]
                            : (size[axis] - extent(axis)) / stride[axis] + 1;
  return out;
}

Pair Case::paddingBefore() const { return {samePad(*this, 0) / 2, samePad(*this, 1) / 2}; }

Pair Case::paddingAfter() const {
  const Pair before = paddingBefore();
  return {samePad(*this, 0) - before[0], samePad(*this, 1) - before[1]};
}

int64_t Case::windowProducts() const {
  const int64_t taps = kernel[0] * kernel[1];
  return operation == "conv2d" || operation == "fully_connected" ? taps * c : taps;
}

int64_t Case::elements() const {
  const Pair out = outputSize();
  return n * std::max(size[0] * size[1] * c,
                      isConvolution() ? out[0] * out[1] * outputChannels : out[0] * out[1] * c);
}

int64_t Case::work() const {
  if (!isWindowed() && operation != "fully_connected")
    return elements();
  const Pair out = outputSize();
  return n * out[0] * out[1] * (isPool() ? c : outputChannels) * windowProducts();
}

std::vector<int64_t> numbersOf(const Case &that, const std::string &parameter) {
  const bool convolution = that.isConvolution(), pool = that.isPool(),
             add = that.operation == "add";
  const Pair out = that.outputSize(), before = that.paddingBefore(), after = that.paddingAfter();
  if (convolution || pool) {
    if (parameter == "batch")
      return {that.n};
    if (parameter == "input_size")
      return {that.size[0], that.size[1]};
    if (parameter == "output_size")
      return {out[0], out[1]};
    if (parameter == "kernel")
      return {that.kernel[0], that.kernel[1]};
    if (parameter == "stride")
      return {that.stride[0], that.stride[1]};
    if (parameter == "padding")
      return {before[0], after[0], before[1], after[1]};
    if (parameter == "window")
      return {that.windowProducts()};
  }
  if (pool && parameter == "channels")
    return {that.c};
  if (convolution) {
    if (parameter == "input_channels")
      return {that.c};
    if (parameter == "output_channels")
      return {that.outputChannels};
    if (parameter == "dilation")
      return {that.dilation[0], that.dilation[1]};
    if (parameter == "channel_multiplier")
      return {that.channelMultiplier};
    if (parameter == "input_zero_point")
      return {that.inputZeroPoint};
    if (parameter == "weight_zero_point")
      return {0};
    if (parameter == "per_channel")
      return {that.weightScales.size() > 1};
    if (parameter == "double_rounding") // as the reference kernels do
      return {that.operation != "fully_connected"};
  }
  if (add) {
    if (parameter == "elements")
      return {that.elements()};
    if (parameter == "subtract")
      return {that.subtract};
    if (parameter == "input_zero_point")
      return {that.inputZeroPoint, that.secondZeroPoint};
    if (parameter == "left_shift")
      return {20, 20};
    if (parameter == "double_rounding")
      return {1};
  }
  if ((convolution || add) && parameter == "output_zero_point")
    return {that.outputZeroPoint};
  return (convolution || add) && parameter == "shift" ? shiftsOf(that) : Numbers{};
}

void chooseScales(Case &that, bool perChannel, bool exact, Random &random) {
  const auto fraction = [&] { return float(random.between(500, 1999)) / 1000; };
  that.inputScale = exact ? 0.0625f : 0.0625f * fraction();
  that.secondScale = exact ? 0.0625f : 0.0625f * fraction();
  that.outputScale = that.inputScale;
  if (that.operation == "add")
    that.outputScale = exact ? 0.125f : 0.125f * fraction();
  if (!that.isConvolution())
    return;
  double real = 60 / spreadOf(that) * (exact ? 1 : fraction());
  if (exact)
    real = std::exp2(std::round(std::log2(real)));
  const float weightScale = exact ? 0.03125f : 0.03f * fraction();
  that.outputScale = float(double(that.inputScale) * weightScale / real);
  that.weightScales.assign(perChannel ? size_t(that.outputChannels) : 1, weightScale);
  for (size_t i = 1; i < that.weightScales.size(); ++i)
    that.weightScales[i] *= exact ? (i % 2 ? 0.5f : 1.0f) : fraction();
}

void settle(Case &that, bool snug) {
  if (that.operation == "depthwise_conv2d")
    that.outputChannels = that.c * that.channelMultiplier;
  if (that.weightScales.size() > 1)
    that.weightScales.resize(size_t(that.outputChannels), that.weightScales[0] / 2);
  for (int axis = 0; that.isWindowed() && axis < 2; ++axis) {
    if (!that.samePadding)
      that.size[axis] = std::max(that.size[axis], that.extent(axis));
    const int64_t read = (that.outputSize()[axis] - 1) * that.stride[axis] + that.extent(axis);
    if (snug)
      that.size[axis] = std::min(that.size[axis], read);
  }
}

bool isWithin(const backend::Claim &claim, int64_t number) {
  if (!claim.values.empty() && std::ranges::count(claim.values, number) == 0)
    return false;
  return number >= claim.minimum && number <= claim.maximum;
}

bool isWithin(const backend::Claim &claim, const Case &that) {
  return std::ranges::all_of(numbersOf(that, claim.parameter),
                             [&](int64_t number) { return isWithin(claim, number); });
}

std::string describe(const Case &that) {
  std::string text = fmt::format("{} of {}x{}x{}x{}", that.subtract ? "sub" : that.operation,
                                 that.n, that.size[0], that.size[1], that.c);
  if (that.isConvolution())
    text += fmt::format(" to {} channels, zero points {} and {}", that.outputChannels,
                        that.inputZeroPoint, that.outputZeroPoint);
  if (that.isWindowed())
    text += fmt::format(", kernel {}x{}, stride {}x{}, {}", that.kernel[0], that.kernel[1],
                        that.stride[0], that.stride[1], that.samePadding ? "SAME" : "VALID");
  if (that.dilation != Pair{1, 1})
    text += fmt::format(", dilation {}x{}", that.dilation[0], that.dilation[1]);
  return text;
}

} // namespace tenon::conform
