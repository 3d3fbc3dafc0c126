// SPDX-License-Identifier: Apache-2.0
// Configurations: the manual's figures, the canonical text, refusals.
#include "hardware/mortise/Config.h"

#include <gtest/gtest.h>

namespace tenon::mortise {
namespace {

/// Peak of the manual's table, in operations a second.
double peak(const Config &c) {
  return 2.0 * c.pixelsPerCycle * c.outputChannelsPerCycle * c.inputChannelsPerCycle * c.clockMhz *
         1e6;
}

TEST(Config, ShippedOnesHaveTheManualsPeaks) {
  EXPECT_NEAR(peak(*loadConfig("tiny")), 64e9, 1e9);
  EXPECT_NEAR(peak(*loadConfig("small")), 0.51e12, 0.01e12);
  EXPECT_NEAR(peak(*loadConfig("medium")), 2.05e12, 0.01e12);
  EXPECT_NEAR(peak(*loadConfig("large")), 8.2e12, 0.1e12);
  EXPECT_EQ(loadConfig("medium")->dramBytesPerCycle(), 12.0);
}

TEST(Config, CanonicalTextComesBack) {
  const Config medium = *loadConfig("medium");
  auto again = parseConfig(toJson(medium));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, medium);
  EXPECT_EQ(hashOf(*again), hashOf(medium));
  EXPECT_NE(hashOf(*loadConfig("small")), hashOf(medium));
}

std::string refusalOf(std::string text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
  auto config = parseConfig(text);
  return config ? "accepted" : config.error().message;
}

TEST(Config, RefusalsNameTheKey) {
  const std::string text = toJson(*loadConfig("medium"));
  EXPECT_EQ(refusalOf(text, "\"clockMhz\":1000", "\"clockMhz\":0"),
            "configuration: clockMhz is 0, not 1 to 10000");
  EXPECT_EQ(refusalOf(text, "\"clockMhz\":1000", "\"clockMhz\":-1"),
            "configuration: clockMhz is -1, not a whole number");
  EXPECT_EQ(refusalOf(text, "\"clockMhz\":1000,", ""), "configuration: key clockMhz is missing");
  EXPECT_EQ(refusalOf(text, "\"clockMhz\"", "\"clock\":1,\"clockMhz\""),
            "configuration: key clock is unknown");
  EXPECT_EQ(refusalOf(text, "{", "["), "configuration: not a JSON object");
  EXPECT_EQ(refusalOf(text, "\"sramBytes\":1048576", "\"sramBytes\":1048577"),
            "configuration: sramBytes is 1048577, not a multiple of 16 * sramBanks = 256");
  EXPECT_EQ(
      loadConfig("huge").error().message,
      "configuration \"huge\" is unknown; use large, medium, small, tiny or the path of a file");
  EXPECT_FALSE(loadConfig("./no-such-file.json"));
}

} // namespace
} // namespace tenon::mortise
