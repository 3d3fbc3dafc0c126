// SPDX-License-Identifier: Apache-2.0
// A Mortise machine's figures, read from a shipped name or a JSON file.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/Error.h"
#include "support/Hash.h"

namespace tenon::mortise {

/// Figures of one machine (manual 7). Letters are the manual's.
struct Config {
  std::string name;
  uint32_t pixelsPerCycle = 0;         ///< P
  uint32_t outputChannelsPerCycle = 0; ///< K
  uint32_t inputChannelsPerCycle = 0;  ///< C
  uint32_t clockMhz = 0;               ///< cycles a microsecond
  uint32_t sramBytes = 0;              ///< multiple of 16 * sramBanks
  uint32_t sramBanks = 0;              ///< 16 bytes wide
  uint32_t dramMegabytesPerSecond = 0; ///< effective, 10^6 bytes
  uint32_t weightBytesPerCycle = 0;    ///< WD
  uint32_t outputBytesPerCycle = 0;    ///< O
  uint32_t vectorLanes = 0;            ///< V
  uint32_t accumulatorGroups = 0;      ///< A, pixel groups
  uint32_t depthwiseTapsPerCycle = 0;  ///< D
  uint32_t dramLatencyCycles = 0;      ///< L
  bool operator==(const Config &) const = default;

  double dramBytesPerCycle() const { return double(dramMegabytesPerSecond) / clockMhz; }
  double millisecondsOf(uint64_t cycles) const { return double(cycles) / (clockMhz * 1000.0); }
};

/// A configuration file in the library.
struct ShippedConfig {
  std::string_view name, json;
};
std::span<const ShippedConfig> shippedConfigs();

/// Loads a shipped configuration ("medium") or, if the argument has a '.' or '/', a JSON file.
/// Fails on an unknown name (listing the shipped ones), an unreadable file, and as parseConfig.
Expected<Config> loadConfig(const std::string &nameOrPath);

/// Parses JSON text: every key of Config once, no other, each in its limits.
Expected<Config> parseConfig(std::string_view json);

/// Canonical text: keys sorted, no spaces; what a package stores and parseConfig takes back.
std::string toJson(const Config &config);

/// XXH3-128 of the canonical text; ties a stream to its machine.
Hash128 hashOf(const Config &config);

} // namespace tenon::mortise
