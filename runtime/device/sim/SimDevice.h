// SPDX-License-Identifier: Apache-2.0
// The device `sim:`: the simulated Mortise chip in this process.
#pragma once
#include "runtime/device/tenon_device.h"

namespace tenon::runtime {

/// Its table of functions; lives as long as the process. Any number of devices may be open, each
/// used by one thread at a time.
const tenon_device_api *simDevice();

} // namespace tenon::runtime
