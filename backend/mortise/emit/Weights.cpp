// SPDX-License-Identifier: Apache-2.0
// Weights into bricks of 16 output channels, codec RAW.
#include "backend/mortise/emit/Weights.h"

#include "support/Checked.h"

namespace tenon::mortise {
namespace {

class Packer {
public:
  Packer(const MacLayer &layer, const LayerShape &shape)
      : layer(layer), shape(shape), inChannels(shape.reads[0].axes[kChannels].extent),
        outChannels(shape.out[kChannels]) {}

  /// Appends the brick of output channels from \p first.
  void appendBrick(Bytes &out, uint32_t first) const {
    for (uint32_t y = 0; y < layer.kernelH; ++y)
      if (shape.fold)
        appendContracted(out, first, y, 0, layer.kernelW * inChannels);
      else
        for (uint32_t x = 0; x < layer.kernelW; ++x)
          if (layer.mode == MacMode::DEPTHWISE)
            appendTap(out, first, y, x);
          else
            appendContracted(out, first, y, x, inChannels);
  }

private:
  const MacLayer &layer;
  const LayerShape &shape;
  const uint32_t inChannels, outChannels;

  /// [16 oc] of a depthwise kernel's tap.
  void appendTap(Bytes &out, uint32_t first, uint32_t y, uint32_t x) const {
    for (uint32_t o = first; o < first + 16; ++o)
      out.push_back(o < outChannels
                        ? layer.weights[(size_t(y) * layer.kernelW + x) * outChannels + o]
                        : layer.weightZeroPoint);
  }

  /// [\p length / 16][16 oc][16] of what follows row \p y, column \p x.
  void appendContracted(Bytes &out, uint32_t first, uint32_t y, uint32_t x, uint32_t length) const {
    for (uint32_t block = 0; block < length; block += 16)
      for (uint32_t o = first; o < first + 16; ++o) {
        const size_t row = ((size_t(o) * layer.kernelH + y) * layer.kernelW + x) * inChannels;
        for (uint32_t i = block; i < block + 16; ++i)
          out.push_back(o < outChannels && i < length ? layer.weights[row + i]
                                                      : layer.weightZeroPoint);
      }
  }
};

} // namespace

Bytes packConstants(const MacLayer &layer, const LayerShape &shape, Range channels) {
  Bytes out;
  out.reserve(constantBytesOf(shape, channels.size));
  const uint32_t bricks = ceilDiv(channels.size, 16u);
  for (uint32_t o = channels.begin; o < channels.begin + bricks * 16; ++o)
    append(out, o < channels.end() ? encode(ChannelEntry{layer.bias[o], 0, layer.scales[o].shift,
                                                         layer.scales[o].multiplier})
                                   : encode(ChannelEntry{}));
  const Packer packer(layer, shape);
  for (uint32_t brick = 0; brick < bricks; ++brick)
    packer.appendBrick(out, channels.begin + brick * 16);
  return out;
}

} // namespace tenon::mortise
