// SPDX-License-Identifier: Apache-2.0
// The kinds of device this process knows: built in, then those of TENON_DEVICE_PATH.
#pragma once
#include <string>
#include <vector>

#include "runtime/device/tenon_device.h"
#include "runtime/session/Result.h"

namespace tenon::runtime {

/// One kind of device and where it came from ("built in" or the library's path).
struct DeviceKind {
  const tenon_device_api *api;
  std::string origin;
};

/// Filled at first use, constant afterwards. TENON_DEVICE_PATH lists libraries, ':' between them;
/// they stay loaded.
class DeviceRegistry {
public:
  static const DeviceRegistry &get();

  /// The kind that answers \p uri by its scheme, the text before ':'. Fails with TENON_NO_DEVICE,
  /// listing the schemes known and the libraries that could not be loaded.
  Result<const tenon_device_api *> findByUri(const std::string &uri) const;
  /// The first kind that runs code of \p target.
  Result<const tenon_device_api *> findByTarget(const std::string &target) const;

  const std::vector<DeviceKind> &kinds() const { return known; }
  /// Libraries that were not loaded, a line each that names one and the reason.
  const std::vector<std::string> &problems() const { return notLoaded; }

private:
  DeviceRegistry();
  void add(const tenon_device_api *api, const std::string &origin);
  void loadLibrary(const std::string &path);
  std::string describe() const;

  std::vector<DeviceKind> known;
  std::vector<std::string> notLoaded;
};

} // namespace tenon::runtime
