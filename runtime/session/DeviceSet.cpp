// SPDX-License-Identifier: Apache-2.0
// Opens the devices of one session.
#include "runtime/session/DeviceSet.h"

#include "runtime/session/DeviceRegistry.h"

namespace tenon::runtime {

Result<DeviceSet> DeviceSet::open(const std::vector<std::string> &uris) {
  DeviceSet devices;
  for (const std::string &uri : uris)
    if (auto ok = devices.add(uri); !ok)
      return tl::unexpected(ok.error());
  return devices;
}

Result<void> DeviceSet::add(const std::string &uri) {
  auto api = DeviceRegistry::get().findByUri(uri);
  if (!api)
    return tl::unexpected(api.error());
  if (byTarget.contains((*api)->target))
    return failure(TENON_INVALID_ARGUMENT, "device \"{}\": another device serves target {} already",
                   uri, (*api)->target);
  auto device = DeviceHandle::open(**api, uri);
  if (!device)
    return tl::unexpected(device.error());
  byTarget.emplace((*api)->target, *device);
  return {};
}

Result<std::shared_ptr<DeviceHandle>> DeviceSet::forTarget(const std::string &target) {
  if (auto open = byTarget.find(target); open != byTarget.end())
    return open->second;
  auto api = DeviceRegistry::get().findByTarget(target);
  if (!api)
    return tl::unexpected(api.error());
  auto device = DeviceHandle::open(**api, std::string((*api)->uri_scheme) + ":");
  if (device)
    byTarget.emplace(target, *device);
  return device;
}

} // namespace tenon::runtime
