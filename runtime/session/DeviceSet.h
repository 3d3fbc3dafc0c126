// SPDX-License-Identifier: Apache-2.0
// The devices of one session, one a target.
#pragma once
#include <map>

#include "runtime/session/DeviceStep.h"

namespace tenon::runtime {

class DeviceSet {
public:
  /// Opens \p uris. Fails with TENON_NO_DEVICE, or TENON_INVALID_ARGUMENT if two serve one target.
  static Result<DeviceSet> open(const std::vector<std::string> &uris);

  /// The device that runs code of \p target; opens the target's default, "SCHEME:", if none of
  /// the URIs did.
  Result<std::shared_ptr<DeviceHandle>> forTarget(const std::string &target);

private:
  Result<void> add(const std::string &uri);

  std::map<std::string, std::shared_ptr<DeviceHandle>> byTarget;
};

} // namespace tenon::runtime
