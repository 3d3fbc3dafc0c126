// SPDX-License-Identifier: Apache-2.0
// Convolution kernels against a plain loop over every output, on random layers.
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <random>

#include "backend/host/HostTestSupport.h"
#include "hostkernels/HostCpu.h"

namespace tenon::host {
namespace {

struct Layer {
  int64_t batch = 1, height, width, inChannels, channels, kernelHeight, kernelWidth;
  int64_t stride = 1, dilation = 1;
  int64_t top = 0, bottom = 0, left = 0, right = 0;
  bool depthwise = false, perChannel = true, doubleRound = true, clamp = true;
  int32_t inputZeroPoint = -3, weightZeroPoint = 0, outputZeroPoint = 5;
  int8_t shiftLow = 33, shiftHigh = 40;

  int64_t outHeight() const {
    return (height - 1 + top + bottom - (kernelHeight - 1) * dilation) / stride + 1;
  }
  int64_t outWidth() const {
    return (width - 1 + left + right - (kernelWidth - 1) * dilation) / stride + 1;
  }
};

struct Data {
  std::vector<int8_t> input, weights; ///< weights [OC,KH,KW,IC] or [KH,KW,C,M]
  std::vector<int32_t> bias, multiplier;
  std::vector<int8_t> shift;
};

Data makeData(const Layer &layer, unsigned seed) {
  std::mt19937 random(seed);
  Data data;
  auto fill = [&](auto &values, size_t count, int64_t low, int64_t high) {
    std::uniform_int_distribution<int64_t> pick(low, high);
    for (size_t index = 0; index < count; ++index)
      values.push_back(static_cast<std::decay_t<decltype(values[0])>>(pick(random)));
  };
  fill(data.input, layer.batch * layer.height * layer.width * layer.inChannels, -128, 127);
  fill(data.weights,
       layer.kernelHeight * layer.kernelWidth *
           (layer.depthwise ? layer.channels : layer.channels * layer.inChannels),
       -128, 127);
  fill(data.bias, layer.channels, -40000, 40000);
  const size_t scales = layer.perChannel ? layer.channels : 1;
  fill(data.multiplier, scales, int64_t(1) << 30, (int64_t(1) << 31) - 1);
  fill(data.shift, scales, layer.shiftLow, layer.shiftHigh);
  return data;
}

/// TOSA 1.0, apply_scale_32.
int32_t applyScale(int32_t value, int32_t multiplier, int8_t shift, bool doubleRound) {
  __int128 round = __int128(1) << (shift - 1);
  if (doubleRound && shift > 31)
    round += value >= 0 ? (1 << 30) : -(1 << 30);
  return static_cast<int32_t>((__int128(value) * multiplier + round) >> shift);
}

int32_t sumAt(const Layer &layer, const Data &data, int64_t n, int64_t oy, int64_t ox, int64_t oc) {
  const int64_t perInput = layer.depthwise ? layer.channels / layer.inChannels : 0;
  int32_t sum = data.bias[oc];
  for (int64_t ky = 0; ky < layer.kernelHeight; ++ky)
    for (int64_t kx = 0; kx < layer.kernelWidth; ++kx) {
      const int64_t y = oy * layer.stride + ky * layer.dilation - layer.top;
      const int64_t x = ox * layer.stride + kx * layer.dilation - layer.left;
      if (y < 0 || y >= layer.height || x < 0 || x >= layer.width)
        continue;
      const int64_t pixel = ((n * layer.height + y) * layer.width + x) * layer.inChannels;
      const int64_t first = layer.depthwise ? oc / perInput : 0;
      const int64_t last = layer.depthwise ? first : layer.inChannels - 1;
      for (int64_t ic = first; ic <= last; ++ic) {
        const int64_t weight =
            layer.depthwise
                ? (ky * layer.kernelWidth + kx) * layer.channels + oc
                : ((oc * layer.kernelHeight + ky) * layer.kernelWidth + kx) * layer.inChannels + ic;
        sum += (data.input[pixel + ic] - layer.inputZeroPoint) *
               (data.weights[weight] - layer.weightZeroPoint);
      }
    }
  return sum;
}

std::vector<int8_t> expectedOutput(const Layer &layer, const Data &data) {
  std::vector<int8_t> output;
  for (int64_t n = 0; n < layer.batch; ++n)
    for (int64_t oy = 0; oy < layer.outHeight(); ++oy)
      for (int64_t ox = 0; ox < layer.outWidth(); ++ox)
        for (int64_t oc = 0; oc < layer.channels; ++oc) {
          const size_t scale = layer.perChannel ? oc : 0;
          const int64_t scaled =
              int64_t(applyScale(sumAt(layer, data, n, oy, ox, oc), data.multiplier[scale],
                                 data.shift[scale], layer.doubleRound)) +
              layer.outputZeroPoint;
          const int64_t low = layer.clamp ? -100 : -128, high = layer.clamp ? 101 : 127;
          output.push_back(static_cast<int8_t>(std::clamp(scaled, low, high)));
        }
  return output;
}

std::string shapeText(const std::vector<int64_t> &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

/// tosa.const \p name of \p values in \p shape, by way of the values' bytes.
template <typename T>
std::string constantText(const std::string &name, const std::vector<T> &values,
                         const std::string &type) {
  static const char *digits = "0123456789ABCDEF";
  std::string hex = "\"0x";
  for (T value : values)
    for (size_t byte = 0; byte < sizeof(T); ++byte) {
      const auto bits = static_cast<uint8_t>(uint32_t(value) >> (8 * byte));
      hex += {digits[bits >> 4], digits[bits & 15]};
    }
  return "%" + name + " = \"tosa.const\"() <{values = dense<" + hex + "\"> : " + type +
         "}> : () -> " + type + "\n";
}

std::string layerText(const Layer &layer, const Data &data) {
  const std::string in =
      shapeText({layer.batch, layer.height, layer.width, layer.inChannels}, "i8");
  const std::vector<int64_t> outShape = {layer.batch, layer.outHeight(), layer.outWidth(),
                                         layer.channels};
  const std::string out = shapeText(outShape, "i8"), sums = shapeText(outShape, "i32");
  const std::string weights =
      layer.depthwise
          ? shapeText({layer.kernelHeight, layer.kernelWidth, layer.inChannels,
                       layer.channels / layer.inChannels},
                      "i8")
          : shapeText({layer.channels, layer.kernelHeight, layer.kernelWidth, layer.inChannels},
                      "i8");
  const std::string channels = shapeText({layer.channels}, "i32");
  const int64_t scales = static_cast<int64_t>(data.shift.size());
  const std::string multiplier = shapeText({scales}, "i32"), shift = shapeText({scales}, "i8");
  auto pair = [](int64_t value) { return std::to_string(value) + ", " + std::to_string(value); };
  std::string text = "func.func @f(%a: " + in + ") -> " + out + " {\n";
  text += constantText("w", data.weights, weights) + constantText("b", data.bias, channels);
  text += constantText("m", data.multiplier, multiplier) + constantText("s", data.shift, shift);
  text += constantText("zi", std::vector<int8_t>{int8_t(layer.inputZeroPoint)}, "tensor<1xi8>");
  text += constantText("zw", std::vector<int8_t>{int8_t(layer.weightZeroPoint)}, "tensor<1xi8>");
  text += constantText("zs", std::vector<int32_t>{0}, "tensor<1xi32>");
  text += constantText("zo", std::vector<int8_t>{int8_t(layer.outputZeroPoint)}, "tensor<1xi8>");
  text += std::string("%c = tosa.") + (layer.depthwise ? "depthwise_conv2d" : "conv2d") +
          " %a, %w, %b, %zi, %zw {acc_type = i32, pad = array<i64: " + std::to_string(layer.top) +
          ", " + std::to_string(layer.bottom) + ", " + std::to_string(layer.left) + ", " +
          std::to_string(layer.right) + ">, stride = array<i64: " + pair(layer.stride) +
          ">, dilation = array<i64: " + pair(layer.dilation) + ">} : (" + in + ", " + weights +
          ", " + channels + ", tensor<1xi8>, tensor<1xi8>) -> " + sums + "\n";
  text += std::string("%r = tosa.rescale %c, %m, %s, %zs, %zo {scale32 = true, rounding_mode = ") +
          (layer.doubleRound ? "DOUBLE_ROUND" : "SINGLE_ROUND") +
          ", per_channel = " + (layer.perChannel ? "true" : "false") +
          ", input_unsigned = false, output_unsigned = false} : (" + sums + ", " + multiplier +
          ", " + shift + ", tensor<1xi32>, tensor<1xi8>) -> " + out + "\n";
  if (layer.clamp)
    text += "%k = tosa.clamp %r {min_val = -100 : i8, max_val = 101 : i8} : (" + out + ") -> " +
            out + "\n";
  return text + "return " + (layer.clamp ? "%k" : "%r") + " : " + out + "\n}\n";
}

/// Memory that ends where the process may not read or write on.
class GuardedBytes {
public:
  explicit GuardedBytes(size_t sizeBytes) : mappedBytes((sizeBytes + kPage - 1) / kPage * kPage) {
    base = static_cast<int8_t *>(mmap(nullptr, mappedBytes + kPage, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base + mappedBytes, kPage, PROT_NONE);
    start = base + mappedBytes - sizeBytes;
  }
  ~GuardedBytes() { munmap(base, mappedBytes + kPage); }
  GuardedBytes(const GuardedBytes &) = delete;
  int8_t *data() { return start; }

private:
  static constexpr size_t kPage = 4096;
  size_t mappedBytes;
  int8_t *base, *start;
};

void check(const Layer &layer, unsigned seed) {
  const Data data = makeData(layer, seed);
  const auto expected = expectedOutput(layer, data);
  const std::string text = layerText(layer, data);
  GuardedBytes input(data.input.size()), output(expected.size());
  std::ranges::copy(data.input, input.data());
  ASSERT_TRUE(runBytes(text, {input.data()}, {output.data()}));
  EXPECT_EQ(std::vector<int8_t>(output.data(), output.data() + expected.size()), expected)
      << text.substr(0, 120);
}

Layer make(int64_t height, int64_t width, int64_t inChannels, int64_t channels, int64_t kernel) {
  Layer layer;
  layer.height = height;
  layer.width = width;
  layer.inChannels = inChannels;
  layer.channels = channels;
  layer.kernelHeight = layer.kernelWidth = kernel;
  return layer;
}

TEST(Convolution, PointwiseOfEveryChannelCount) {
  unsigned seed = 1;
  for (int64_t channels : {1, 3, 8, 15, 16, 17, 24, 33})
    check(make(3, 5, channels + 1, channels, 1), seed++);
}

TEST(Convolution, KernelsStridesPaddingDilation) {
  unsigned seed = 100;
  for (int64_t kernel : {2, 3, 5})
    for (int64_t stride : {1, 2})
      for (int64_t dilation : {1, 2}) {
        Layer layer = make(13, 11, 3, 21, kernel);
        layer.stride = stride;
        layer.dilation = dilation;
        layer.top = kernel / 2;
        layer.left = kernel - 1;
        // TOSA wants the strides to divide what is left.
        layer.bottom = layer.right = 0;
        while ((layer.height - 1 + layer.top + layer.bottom - (kernel - 1) * dilation) % stride)
          ++layer.bottom;
        while ((layer.width - 1 + layer.left + layer.right - (kernel - 1) * dilation) % stride)
          ++layer.right;
        check(layer, seed++);
      }
}

TEST(Convolution, WeightZeroPointsAndBatches) {
  Layer layer = make(6, 7, 19, 20, 3);
  layer.batch = 3;
  layer.top = layer.bottom = layer.left = layer.right = 1;
  layer.weightZeroPoint = 127;
  layer.inputZeroPoint = -128;
  layer.perChannel = false;
  check(layer, 7);
  layer.weightZeroPoint = -128;
  layer.inputZeroPoint = 127;
  check(layer, 8);
}

TEST(Convolution, ManyPixelsInChunks) { check(make(33, 35, 96, 40, 1), 9); }

TEST(Convolution, RescaleRoundsOnEverySide) {
  for (bool doubleRound : {false, true})
    for (int8_t shift : {30, 31, 32, 36, 47, 62}) {
      Layer layer = make(8, 8, 5, 18, 1);
      layer.doubleRound = doubleRound;
      layer.shiftLow = layer.shiftHigh = shift;
      layer.clamp = false;
      check(layer, 20 + shift);
    }
}

TEST(Convolution, DepthwiseOfEveryChannelCount) {
  unsigned seed = 200;
  for (int64_t channels : {1, 2, 3, 4, 7, 8, 11, 16, 24, 31, 48}) {
    Layer layer = make(7, 9, channels, channels, 3);
    layer.depthwise = true;
    layer.top = layer.bottom = layer.left = layer.right = 1;
    layer.weightZeroPoint = channels % 2 ? 11 : 0;
    layer.stride = channels % 3 == 0 ? 2 : 1;
    layer.batch = channels % 4 == 0 ? 2 : 1;
    check(layer, seed++);
  }
}

TEST(Convolution, DepthwiseDilatedAndMultiplied) {
  Layer layer = make(9, 9, 16, 16, 3);
  layer.depthwise = true;
  layer.dilation = 2;
  layer.left = layer.right = 3;
  check(layer, 300);
  layer = make(5, 6, 1, 24, 3); // one input channel: an ordinary convolution
  layer.depthwise = true;
  check(layer, 301);
  layer = make(5, 6, 3, 6, 3); // no kernel for this: the general lowering
  layer.depthwise = true;
  check(layer, 302);
}

TEST(Convolution, SameBitsOnEveryLevel) {
  Layer layer = make(6, 7, 9, 20, 3);
  layer.weightZeroPoint = 3;
  const Data data = makeData(layer, 400);
  const auto expected = expectedOutput(layer, data);
  const std::string text = layerText(layer, data);
  for (const char *level : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8-a"}) {
    LoadedModule module(text, level);
    ASSERT_EQ(module.error(), "") << level;
    LoadedModule again(text, level);
    EXPECT_EQ(module.image(), again.image()) << level;
    const auto &code = module.result().compiled.hostCode.front();
    if (!hostkernels::checkThisCpu(code.triple, code.features))
      continue; // made, not run
    ASSERT_TRUE(module.load()) << module.error();
    std::vector<int8_t> output(expected.size());
    ASSERT_EQ(module.call("f", {data.input.data()}, {output.data()}), 0);
    EXPECT_EQ(output, expected) << level;
  }
}

TEST(Convolution, TwoLayersReadOneInput) {
  // Both keep their input alive though the first to read it is done with it.
  const auto r = runOne<int8_t>(R"(
    func.func @f(%a: tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8> {
      %w = "tosa.const"() <{values = dense<1> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
      %b = "tosa.const"() <{values = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
      %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
      %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
      %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
      %n = tosa.bitwise_not %a : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
      %c = tosa.conv2d %n, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
        stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x1xi8>,
        tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi32>
      %r = tosa.rescale %c, %m, %s, %z32, %z {scale32 = true, rounding_mode = SINGLE_ROUND,
        per_channel = false, input_unsigned = false, output_unsigned = false} :
        (tensor<1x2x2x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>)
        -> tensor<1x2x2x1xi8>
      %c2 = tosa.conv2d %r, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
        stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x1xi8>,
        tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi32>
      %r2 = tosa.rescale %c2, %m, %s, %z32, %z {scale32 = true, rounding_mode = SINGLE_ROUND,
        per_channel = false, input_unsigned = false, output_unsigned = false} :
        (tensor<1x2x2x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>)
        -> tensor<1x2x2x1xi8>
      %t = tosa.add %r2, %r : (tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
      %u = tosa.add %t, %n : (tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
      return %u : tensor<1x2x2x1xi8>
    })",
                                std::vector<int8_t>{0, 1, -5, 20}, 4);
  // n = -1 - a; (n + 6) + (n + 3) + n
  EXPECT_EQ(r, (std::vector<int8_t>{6, 3, 21, -54}));
}

} // namespace
} // namespace tenon::host
