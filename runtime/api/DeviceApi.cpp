// SPDX-License-Identifier: Apache-2.0
// C API: the kinds of device that this process can open.
#include "runtime/api/Guard.h"
#include "runtime/session/DeviceRegistry.h"

using namespace tenon;
using namespace tenon::runtime;

size_t tenon_device_kind_count(void) {
  size_t count = 0;
  guarded([&]() -> Result<void> {
    count = DeviceRegistry::get().kinds().size();
    return {};
  });
  return count;
}

const char *tenon_device_problem(size_t index) {
  const char *text = nullptr;
  guarded([&]() -> Result<void> {
    const auto &problems = DeviceRegistry::get().problems();
    if (index < problems.size())
      text = problems[index].c_str();
    return {};
  });
  return text;
}

tenon_status tenon_device_kind(size_t index, tenon_device_kind_info *info) {
  return guarded([&]() -> Result<void> {
    const auto &kinds = DeviceRegistry::get().kinds();
    if (!info || index >= kinds.size())
      return failure(TENON_INVALID_ARGUMENT, "device kind {} of {}, or info is NULL", index,
                     kinds.size());
    const DeviceKind &kind = kinds[index];
    *info = {kind.api->uri_scheme, kind.api->target, kind.origin.c_str()};
    return {};
  });
}
