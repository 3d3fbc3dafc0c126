// SPDX-License-Identifier: Apache-2.0
// A plug-in of name PLUGIN_NAME and interface PLUGIN_VERSION - 1 above this one's, whose targets
// cannot be made.
#include "backend/api/Backend.h"

const tenon::backend::BackendPlugin *tenon_backend_v1() {
  static const tenon::backend::BackendPlugin plugin = {
      tenon::backend::kInterfaceVersion - 1 + PLUGIN_VERSION, PLUGIN_NAME, "empty",
      [](mlir::MLIRContext &,
         const std::string &) -> tenon::Expected<std::unique_ptr<tenon::backend::Backend>> {
        return tenon::fail("target {}: is empty", PLUGIN_NAME);
      }};
  return &plugin;
}
