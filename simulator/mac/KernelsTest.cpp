// SPDX-License-Identifier: Apache-2.0
// The hot loops on every vector instruction set that this processor has, against plain loops.
#include "simulator/mac/Kernels.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace tenon::simulator {
namespace {

constexpr size_t kPixelCount = 13, kTaps = 5; // no multiple of any block of pixels

class Kernels : public ::testing::TestWithParam<int64_t> {
protected:
  Kernels() { hwy::SetSupportedTargetsForTest(GetParam()), choose(); }
  ~Kernels() override { hwy::SetSupportedTargetsForTest(0), choose(); }

  std::mt19937 random{7};
  std::vector<uint32_t> pixels, taps;

  static void choose() { hwy::GetChosenTarget().Update(hwy::SupportedTargets()); }

  int32_t between(int32_t low, int32_t high) {
    return low + int32_t(random() % (uint32_t(high) - uint32_t(low) + 1));
  }
  /// The extremes that zero points leave to inputs and weights are among them.
  std::vector<int16_t> elements(size_t count) {
    std::vector<int16_t> values(count);
    for (int16_t &value : values)
      value = int16_t(random() % 8 ? between(-383, 383) : random() % 2 ? 383 : -383);
    return values;
  }
  void places() {
    for (size_t i = 0; i < kPixelCount; ++i)
      pixels.push_back(uint32_t(between(0, 40)));
    for (size_t i = 0; i < kTaps; ++i)
      taps.push_back(uint32_t(between(0, 400)));
  }
};

TEST_P(Kernels, ConvolveOneAndTwoBricks) {
  places();
  const auto input = elements(512), first = elements(kTaps * 256), second = elements(kTaps * 256);
  for (size_t bricks : {1, 2}) {
    std::vector<int32_t> sums[2] = {std::vector<int32_t>(kPixelCount * kLanes),
                                    std::vector<int32_t>(kPixelCount * kLanes)};
    convolve({input.data(),
              pixels.data(),
              kPixelCount,
              taps.data(),
              kTaps,
              {first.data(), bricks == 2 ? second.data() : nullptr},
              {sums[0].data(), sums[1].data()}});
    for (size_t b = 0; b < bricks; ++b)
      for (size_t p = 0; p < kPixelCount; ++p)
        for (size_t o = 0; o < kLanes; ++o) {
          int32_t expected = 0;
          for (size_t t = 0; t < kTaps; ++t)
            for (size_t c = 0; c < 16; ++c)
              expected += input[pixels[p] + taps[t] + c] *
                          (b ? second : first)[((t * 8 + c / 2) * 16 + o) * 2 + c % 2];
          ASSERT_EQ(sums[b][p * kLanes + o], expected) << bricks << " bricks";
        }
  }
}

TEST_P(Kernels, ConvolveDepthwise) {
  places();
  const auto input = elements(512), weights = elements(kTaps * kLanes);
  std::vector<int32_t> sums(kPixelCount * kLanes);
  convolveDepthwise(
      {input.data(), pixels.data(), kPixelCount, taps.data(), kTaps, weights.data(), sums.data()});
  for (size_t p = 0; p < kPixelCount; ++p)
    for (size_t o = 0; o < kLanes; ++o) {
      int32_t expected = 0;
      for (size_t t = 0; t < kTaps; ++t)
        expected += input[pixels[p] + taps[t] + o] * weights[t * kLanes + o];
      ASSERT_EQ(sums[p * kLanes + o], expected);
    }
}

/// (v * m + r) >> s with r = 2^(s-1), and 2^30 more or less past a shift of 31.
int32_t rescaled(int32_t v, const LaneScale &scale) {
  const __int128 half = scale.shift ? __int128(1) << (scale.shift - 1) : 0;
  return int32_t((__int128(v) * scale.multiplier + half + (v < 0 ? -scale.nudge : scale.nudge)) >>
                 scale.shift);
}

TEST_P(Kernels, PostProcess) {
  PostTask task;
  task.pixelCount = kPixelCount;
  task.zeroPointA = -5, task.clampAMin = -100, task.clampAMax = 110;
  task.clampBMin = -90, task.clampBMax = 120;
  std::vector<int32_t> values(kPixelCount * kLanes), expected;
  for (size_t i = 0; i < kLanes; ++i) {
    const int32_t shift = between(0, 62);
    task.bias[i] = int32_t(random());
    task.scales[i] = {int32_t(random()), shift, shift ? int64_t(1) << (shift - 1) : 0,
                      shift > 31 ? int64_t(1) << 30 : 0};
  }
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = int32_t(random());
    const auto v = int32_t(uint32_t(values[i]) + uint32_t(task.bias[i % kLanes]));
    const int64_t first =
        std::clamp<int64_t>(int64_t(rescaled(v, task.scales[i % kLanes])) - 5, -100, 110);
    expected.push_back(int32_t(std::clamp<int64_t>(first, -90, 120)));
  }
  task.values = values.data();
  postProcess(task);
  EXPECT_EQ(values, expected);
}

TEST_P(Kernels, WidenAndNarrow) {
  std::vector<uint8_t> bytes(256), back(256);
  std::vector<int16_t> wide(256);
  for (size_t i = 0; i < 256; ++i)
    bytes[i] = uint8_t(i);
  widen(bytes.data(), true, -100, 256, wide.data());
  EXPECT_EQ(wide[128], -28);
  EXPECT_EQ(wide[127], 227);
  EXPECT_EQ(wide[255], 99);
  widen(bytes.data(), false, 100, 256, wide.data());
  EXPECT_EQ(wide[0], -100);
  EXPECT_EQ(wide[255], 155);
  const std::vector<int32_t> values = {INT32_MIN, -129, -128, -1, 0, 127, 128, 255, 256, INT32_MAX};
  narrow(values.data(), true, values.size(), back.data());
  EXPECT_EQ(std::vector<uint8_t>(back.begin(), back.begin() + 10),
            (std::vector<uint8_t>{128, 128, 128, 255, 0, 127, 127, 127, 127, 127}));
  narrow(values.data(), false, values.size(), back.data());
  EXPECT_EQ(std::vector<uint8_t>(back.begin(), back.begin() + 10),
            (std::vector<uint8_t>{0, 0, 0, 0, 0, 127, 128, 255, 255, 255}));
}

INSTANTIATE_TEST_SUITE_P(Targets, Kernels, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto &info) { return std::string(hwy::TargetName(info.param)); });

} // namespace
} // namespace tenon::simulator
