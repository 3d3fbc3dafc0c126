// SPDX-License-Identifier: Apache-2.0
// Mortise as a backend that is built in.
#pragma once
#include "backend/api/Backend.h"

namespace tenon::mortise {

/// Targets "mortise:CONFIG": a shipped configuration's name (none: medium) or a JSON file.
const backend::BackendPlugin *plugin();

} // namespace tenon::mortise
