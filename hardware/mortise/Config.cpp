// SPDX-License-Identifier: Apache-2.0
// Reads, checks and writes machine configurations.
#include "hardware/mortise/Config.h"

#include <nlohmann/json.hpp>

#include "support/Files.h"

namespace tenon::mortise {
namespace {

using nlohmann::json;

struct Key {
  const char *name;
  uint32_t Config::*figure;
  uint32_t min, max;
};

constexpr Key kKeys[] = {
    {"pixelsPerCycle", &Config::pixelsPerCycle, 1, 255},
    {"outputChannelsPerCycle", &Config::outputChannelsPerCycle, 1, 255},
    {"inputChannelsPerCycle", &Config::inputChannelsPerCycle, 1, 255},
    {"clockMhz", &Config::clockMhz, 1, 10'000},
    {"sramBytes", &Config::sramBytes, 4096, 1u << 30},
    {"sramBanks", &Config::sramBanks, 1, 255},
    {"dramMegabytesPerSecond", &Config::dramMegabytesPerSecond, 1, 10'000'000},
    {"weightBytesPerCycle", &Config::weightBytesPerCycle, 1, 4096},
    {"outputBytesPerCycle", &Config::outputBytesPerCycle, 1, 255},
    {"vectorLanes", &Config::vectorLanes, 1, 255},
    {"accumulatorGroups", &Config::accumulatorGroups, 1, 255},
    {"depthwiseTapsPerCycle", &Config::depthwiseTapsPerCycle, 1, 255},
    {"dramLatencyCycles", &Config::dramLatencyCycles, 0, 1'000'000},
};

Expected<uint32_t> readFigure(const json &object, const Key &key) {
  const auto found = object.find(key.name);
  if (found == object.end())
    return fail("configuration: key {} is missing", key.name);
  if (!found->is_number_unsigned())
    return fail("configuration: {} is {}, not a whole number", key.name, found->dump());
  const uint64_t value = found->get<uint64_t>();
  if (value < key.min || value > key.max)
    return fail("configuration: {} is {}, not {} to {}", key.name, value, key.min, key.max);
  return uint32_t(value);
}

Expected<void> checkNoOtherKey(const json &object) {
  for (const auto &[name, value] : object.items()) {
    bool known = name == "name";
    for (const Key &key : kKeys)
      known |= name == key.name;
    if (!known)
      return fail("configuration: key {} is unknown", name);
  }
  return {};
}

Expected<Config> readConfig(const json &object) {
  Config config;
  const auto name = object.find("name");
  if (name == object.end() || !name->is_string() || name->get<std::string>().empty())
    return fail("configuration: key name must be a text");
  config.name = name->get<std::string>();
  for (const Key &key : kKeys) {
    auto figure = readFigure(object, key);
    if (!figure)
      return tl::unexpected(figure.error());
    config.*key.figure = *figure;
  }
  if (config.sramBytes % (16 * config.sramBanks))
    return fail("configuration: sramBytes is {}, not a multiple of 16 * sramBanks = {}",
                config.sramBytes, 16 * config.sramBanks);
  return config;
}

} // namespace

Expected<Config> parseConfig(std::string_view text) {
  const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object())
    return fail("configuration: not a JSON object");
  if (auto checked = checkNoOtherKey(object); !checked)
    return tl::unexpected(checked.error());
  return readConfig(object);
}

Expected<Config> loadConfig(const std::string &nameOrPath) {
  for (const ShippedConfig &shipped : shippedConfigs())
    if (shipped.name == nameOrPath)
      return parseConfig(shipped.json);
  if (nameOrPath.find_first_of("./") == std::string::npos) {
    std::string names;
    for (const ShippedConfig &shipped : shippedConfigs())
      names += std::string(names.empty() ? "" : ", ") + std::string(shipped.name);
    return fail("configuration \"{}\" is unknown; use {} or the path of a file", nameOrPath, names);
  }
  auto bytes = readFile(nameOrPath, 1 << 20);
  if (!bytes)
    return tl::unexpected(bytes.error());
  auto config = parseConfig({reinterpret_cast<const char *>(bytes->data()), bytes->size()});
  return config ? config : Expected<Config>(fail(config.error(), nameOrPath));
}

std::string toJson(const Config &config) {
  json object = {{"name", config.name}};
  for (const Key &key : kKeys)
    object[key.name] = config.*key.figure;
  // A name that is not UTF-8 cannot reach here: the parser refuses it.
  return object.dump();
}

Hash128 hashOf(const Config &config) {
  const std::string text = toJson(config);
  return hashBytes({reinterpret_cast<const uint8_t *>(text.data()), text.size()});
}

} // namespace tenon::mortise
