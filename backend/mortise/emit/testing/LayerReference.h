// SPDX-License-Identifier: Apache-2.0
// What layers compute, straight from LayerGraph's own words: no tiles, no commands, for tests.
#pragma once
#include "backend/mortise/layers/LayerGraph.h"
#include "support/Bytes.h"

namespace tenon::mortise::testing {

/// Bytes of every tensor, by tensor; names of the same bytes hold theirs in the owner. Inputs are
/// given, everything else comes out.
void computeLayers(const LayerGraph &graph, std::vector<Bytes> &tensors);

} // namespace tenon::mortise::testing
