// SPDX-License-Identifier: Apache-2.0
// The host CPU as a backend.
#pragma once
#include "backend/api/Backend.h"

namespace tenon::host {

/// The host backend. CONFIG of `--target host:CONFIG` is a CPU level of hostkernels/HostCpu.h.
const backend::BackendPlugin *plugin();

} // namespace tenon::host
