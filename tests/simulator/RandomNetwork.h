// SPDX-License-Identifier: Apache-2.0
// Chains of random layers of every kind, for tests.
#pragma once
#include "backend/mortise/emit/testing/RandomGraph.h"

namespace tenon::tests {

/// Two to five layers from an input to an output; the same seed gives the same graph. Small enough
/// for an interpreter of single bytes.
mortise::LayerGraph randomNetwork(uint32_t seed);

} // namespace tenon::tests
