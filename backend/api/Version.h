// SPDX-License-Identifier: Apache-2.0
// The version of what plug-ins are built against; needs no MLIR.
#pragma once
#include <cstdint>

namespace tenon::backend {

/// Counts up whenever headers of backend/api or backend/library change in a way that breaks a
/// plug-in.
inline constexpr uint32_t kInterfaceVersion = 3;

} // namespace tenon::backend
