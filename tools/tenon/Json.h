// SPDX-License-Identifier: Apache-2.0
// JSON as the program prints it: keys in the order they were put, two spaces, names that are not
// UTF-8 made so.
#pragma once
#include <nlohmann/json.hpp>

#include "tools/tenon/Console.h"

namespace tenon::cli {

using Json = nlohmann::ordered_json;

inline Expected<void> printJson(const Json &json) {
  return print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace tenon::cli
