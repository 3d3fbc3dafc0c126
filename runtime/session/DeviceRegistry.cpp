// SPDX-License-Identifier: Apache-2.0
// Finds device libraries and the kind of device a URI means.
#include "runtime/session/DeviceRegistry.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sstream>

#include "runtime/device/sim/SimDevice.h"

namespace tenon::runtime {

const DeviceRegistry &DeviceRegistry::get() {
  static const DeviceRegistry registry;
  return registry;
}

DeviceRegistry::DeviceRegistry() {
  add(simDevice(), "built in");
  const char *path = secure_getenv("TENON_DEVICE_PATH");
  std::istringstream libraries(path ? path : "");
  for (std::string library; std::getline(libraries, library, ':');)
    if (!library.empty())
      loadLibrary(library);
}

void DeviceRegistry::add(const tenon_device_api *api, const std::string &origin) {
  if (!api || api->version != TENON_DEVICE_VERSION) {
    notLoaded.push_back(
        fmt::format("{} has device interface {}, this runtime {}: rebuild the {}", origin,
                    api ? api->version : 0, TENON_DEVICE_VERSION,
                    api && api->version > TENON_DEVICE_VERSION ? "runtime" : "plug-in"));
    return;
  }
  known.push_back({api, origin});
}

void DeviceRegistry::loadLibrary(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    notLoaded.push_back(dlerror());
    return;
  }
  auto entry = reinterpret_cast<decltype(&tenon_device_v1)>(dlsym(library, "tenon_device_v1"));
  if (!entry) {
    notLoaded.push_back(path + " does not export tenon_device_v1");
    return;
  }
  add(entry(), path);
}

std::string DeviceRegistry::describe() const {
  std::string text = known.empty() ? "there are none" : "there are";
  for (const DeviceKind &kind : known)
    text += fmt::format("{} {}: (for {})", &kind == known.data() ? "" : ",", kind.api->uri_scheme,
                        kind.api->target);
  for (const std::string &problem : notLoaded)
    text += "; " + problem;
  return text + "; TENON_DEVICE_PATH names more device libraries";
}

Result<const tenon_device_api *> DeviceRegistry::findByUri(const std::string &uri) const {
  std::string scheme = uri.substr(0, uri.find(':'));
  for (const DeviceKind &kind : known)
    if (uri.size() > scheme.size() && scheme == kind.api->uri_scheme)
      return kind.api;
  return failure(TENON_NO_DEVICE, "no device answers \"{}\": {}", uri, describe());
}

Result<const tenon_device_api *> DeviceRegistry::findByTarget(const std::string &target) const {
  for (const DeviceKind &kind : known)
    if (target == kind.api->target)
      return kind.api;
  return failure(TENON_NO_DEVICE, "no device runs code for target \"{}\": {}", target, describe());
}

} // namespace tenon::runtime
