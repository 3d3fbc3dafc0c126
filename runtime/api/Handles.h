// SPDX-License-Identifier: Apache-2.0
// What stands behind the C API's handles.
#pragma once
#include <memory>

#include "runtime/session/Session.h"

struct tenon_package {
  std::shared_ptr<const tenon::runtime::LoadedPackage> loaded;
};

struct tenon_session {
  std::unique_ptr<tenon::runtime::Session> session;
};
