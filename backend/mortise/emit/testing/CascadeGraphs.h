// SPDX-License-Identifier: Apache-2.0
// Networks of two or three layers that may run as a cascade, for tests.
#pragma once
#include "backend/mortise/emit/testing/RandomGraph.h"
#include "hardware/mortise/Stream.h"

namespace tenon::mortise::testing {

/// A layer of a chain.
struct Link {
  enum class Kind : uint8_t { Convolution, Depthwise, MaxPool, AveragePool, Rescale };
  Kind kind = Kind::Convolution;
  uint8_t kernel = 3, stride = 1;
  uint32_t pad = 1, channels = 16; ///< channels: Convolution's output
  uint8_t dilation = 1;
};

/// Layers one after the other on an input of \p h x \p w x \p c; only the last's output is one.
LayerGraph chain(uint32_t seed, uint32_t h, uint32_t w, uint32_t c, const std::vector<Link> &links);

/// A pair with what to call it.
struct NamedPair {
  const char *name;
  std::vector<Link> links;
};
/// What two-layer cascades are tested with.
std::vector<NamedPair> cascadePairs();

/// A stream with ring_rows of every view one less.
Bytes withSmallerRings(Bytes commands);

} // namespace tenon::mortise::testing
