// SPDX-License-Identifier: Apache-2.0
// Brings one parameter of a case to a wanted number.
#include <cmath>

#include "conform/Case.h"

namespace tenon::conform {
namespace {

bool setChannels(Case &that, int64_t value) {
  that.c = value;
  if (that.operation == "depthwise_conv2d")
    that.outputChannels = that.c * that.channelMultiplier;
  return true;
}

bool setOutputChannels(Case &that, int64_t value) {
  const bool one = that.weightScales.size() <= 1;
  const float scale = that.weightScales.empty() ? 0.03125f : that.weightScales[0];
  if (that.operation == "depthwise_conv2d") {
    if (value % that.channelMultiplier != 0)
      that.channelMultiplier = 1;
    that.c = value / that.channelMultiplier;
  }
  that.outputChannels = value;
  that.weightScales.resize(one ? 1 : size_t(value), scale);
  return true;
}

bool setMultiplier(Case &that, int64_t value) {
  if (that.operation != "depthwise_conv2d")
    return value == 1;
  that.channelMultiplier = value;
  return setOutputChannels(that, that.c * value);
}

/// Products a sum: by channels if they count, else by rows of the kernel.
bool setWindow(Case &that, int64_t value) {
  const bool channelsCount = that.operation == "conv2d" || that.operation == "fully_connected";
  const int64_t taps = that.kernel[0] * that.kernel[1];
  if (!channelsCount) {
    that.kernel =
        value % that.kernel[1] == 0 ? Pair{value / that.kernel[1], that.kernel[1]} : Pair{value, 1};
    return true;
  }
  if (value % taps != 0)
    that.kernel = {1, 1};
  that.c = value / (that.kernel[0] * that.kernel[1]);
  return true;
}

/// The same before and after: SAME at stride 1 with an odd window.
bool setPadding(Case &that, int axis, int64_t value) {
  if (value < 0 || !that.isWindowed())
    return value == 0;
  that.samePadding = true;
  that.stride[axis] = 1;
  const bool byDilation = that.isConvolution() && that.seed % 2 == 0 && value > 0;
  that.kernel[axis] = byDilation ? 3 : 2 * value + 1;
  that.dilation[axis] = byDilation ? value : 1;
  return true;
}

bool setSize(Case &that, int axis, int64_t value) {
  that.size[axis] = value;
  return that.isWindowed() || value == 1;
}

bool setOutputSize(Case &that, int axis, int64_t value) {
  const int64_t last = (value - 1) * that.stride[axis];
  return setSize(that, axis, that.samePadding ? last + 1 : last + that.extent(axis));
}

bool setZeroPoint(int64_t &zeroPoint, int64_t value) {
  zeroPoint = value;
  return value >= -128 && value <= 127;
}

/// The scale of the output, so that the first channel's multiplier has this shift.
bool setShift(Case &that, size_t index, int64_t value) {
  if (!that.isConvolution() || value < 16 || value > 50)
    return false;
  that.weightScales.resize(1);
  const double real = 0.75 * std::exp2(double(31 - value));
  that.outputScale = float(double(that.inputScale) * that.weightScales[0] / real);
  return index == 0;
}

bool setPerChannel(Case &that, int64_t value) {
  if (value != 0 && (value != 1 || that.outputChannels < 2))
    return false;
  that.weightScales.resize(value ? size_t(that.outputChannels) : 1, that.weightScales[0] / 2);
  return true;
}

/// Figures of a window: they have no meaning below 1.
bool setFigure(Case &that, Pair &figure, int axis, int64_t value) {
  figure[axis] = value;
  return value == 1 || that.isWindowed();
}

bool setElements(Case &that, int64_t value) {
  that.n = 1, that.size = {1, 1}, that.c = value;
  return true;
}

} // namespace

bool assign(Case &that, const std::string &parameter, size_t index, int64_t value) {
  const int axis = int(index % 2);
  if (parameter == "padding")
    return setPadding(that, int(index / 2), value);
  if (parameter == "input_zero_point")
    return setZeroPoint(index ? that.secondZeroPoint : that.inputZeroPoint, value);
  if (parameter == "output_zero_point")
    return setZeroPoint(that.outputZeroPoint, value);
  if (parameter == "per_channel")
    return setPerChannel(that, value);
  if (parameter == "subtract")
    return that.subtract = value == 1, value == 0 || value == 1;
  if (value < 1 || value > 1 << 26) // from here on numbers that count something
    return false;
  if (parameter == "batch")
    return that.n = value, true;
  if (parameter == "input_size")
    return setSize(that, axis, value);
  if (parameter == "output_size")
    return setOutputSize(that, axis, value);
  if (parameter == "input_channels" || parameter == "channels")
    return setChannels(that, value);
  if (parameter == "output_channels")
    return setOutputChannels(that, value);
  if (parameter == "channel_multiplier")
    return setMultiplier(that, value);
  if (parameter == "kernel")
    return setFigure(that, that.kernel, axis, value);
  if (parameter == "stride")
    return setFigure(that, that.stride, axis, value);
  if (parameter == "dilation")
    return setFigure(that, that.dilation, axis, value) && that.isConvolution();
  if (parameter == "window")
    return setWindow(that, value);
  if (parameter == "elements")
    return setElements(that, value);
  return parameter == "shift" && setShift(that, index, value);
}

} // namespace tenon::conform
