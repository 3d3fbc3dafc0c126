// SPDX-License-Identifier: Apache-2.0
// Reads a toy target's claims.
#include "ToyConfig.h"

#include <charconv>
#include <sstream>

namespace tenon::toy {
namespace {

template <typename T> Expected<void> readNumber(const std::string &item, size_t equals, T &number) {
  const char *end = item.data() + item.size();
  auto [stop, error] = std::from_chars(item.data() + equals + 1, end, number);
  if (error != std::errc() || stop != end)
    return fail("toy target: \"{}\" holds no number", item);
  return {};
}

Expected<void> readItem(const std::string &item, ToyConfig &config) {
  const size_t equals = item.find('=');
  const std::string key = item.substr(0, equals);
  if (equals == std::string::npos) {
    if (!item.empty())
      config.claims.push_back(item);
    return {};
  }
  if (key == "alone") {
    config.alone.push_back(item.substr(equals + 1));
    return {};
  }
  if (key == "launch")
    return readNumber(item, equals, config.launchNs);
  if (key == "kilobyte")
    return readNumber(item, equals, config.perKilobyteNs);
  if (key == "cost")
    return readNumber(item, equals, config.costNs);
  if (key == "max")
    return readNumber(item, equals, config.maxElements);
  if (key == "limit")
    return readNumber(item, equals, config.compositeLimit);
  return fail("toy target: \"{}\" is unknown; use launch, kilobyte, cost, max, alone or limit",
              key);
}

} // namespace

Expected<ToyConfig> parseConfig(const std::string &text) {
  ToyConfig config;
  config.text = text;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, '+');)
    if (auto ok = readItem(item, config); !ok)
      return tl::unexpected(ok.error());
  return config;
}

} // namespace tenon::toy
