// SPDX-License-Identifier: Apache-2.0
// Constants of the MAC engine as it reads them (manual: Weights, ChannelEntry).
#pragma once
#include "backend/mortise/plan/LayerShape.h"

namespace tenon::mortise {

/// Channel table, then bricks, of output channels \p channels, which begin at a multiple of 16:
/// constantBytesOf(shape, channels.size) bytes.
Bytes packConstants(const MacLayer &layer, const LayerShape &shape, Range channels);

} // namespace tenon::mortise
