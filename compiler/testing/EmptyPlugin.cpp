// SPDX-License-Identifier: Apache-2.0
// A plug-in of name PLUGIN_NAME whose targets cannot be made; PLUGIN_EDIT changes what it offers,
// `offer`.
#include <stdexcept>

#include "backend/api/Backend.h"

void nobodyDefines(int);

namespace {

tenon::Expected<std::unique_ptr<tenon::backend::Backend>> create(mlir::MLIRContext &,
                                                                 const std::string &) {
  return tenon::fail("target {}: is empty", PLUGIN_NAME);
}

} // namespace

const tenon::backend::BackendPlugin *tenon_backend_v1() {
  static tenon::backend::BackendPlugin offer = {tenon::backend::kInterfaceVersion, PLUGIN_NAME,
                                                "empty", create};
  PLUGIN_EDIT;
  return &offer;
}
