// SPDX-License-Identifier: Apache-2.0
// Cuts every layer into tiles that fit SRAM, and groups layers into segments.
#pragma once
#include <tl/expected.hpp>

#include "backend/mortise/plan/LayerShape.h"

namespace tenon::mortise {

/// Buffers of SRAM that a layer's tiles use in turn.
enum class BufferRole : uint8_t { Read, Constants, Table, Output };

struct Buffer {
  BufferRole role = BufferRole::Read;
  uint32_t read = 0; ///< Read: which of LayerShape::reads
  uint64_t bytes = 0;
  uint32_t copies = 1; ///< that tiles take in turn, so that one fills while another is in use
};

/// How a layer is cut.
struct Tiling {
  Dims tile{1, 1, 1};         ///< extents of a tile of the output; the last may be smaller
  bool channelsOuter = false; ///< channels are the outermost loop, else the innermost
  uint32_t copies = 2;        ///< most copies of a buffer
  uint64_t cycles = 0;        ///< estimate
};

struct LayerPlan {
  LayerShape shape;
  Tiling tiling;
  std::vector<Buffer> buffers; ///< reads in their order first
};

/// Layers whose buffers are in SRAM together. Today one each; a cascade of several hands rows on
/// through a ring.
struct Segment {
  std::vector<uint32_t> layers;
};

struct Plan {
  std::vector<LayerPlan> layers; ///< by layer
  std::vector<Segment> segments; ///< in execution order; every layer in one of them
};

/// The layer that stands in the way.
struct PlanFailure {
  uint32_t layer = 0;
  std::string reason; ///< "its smallest tile needs 81920 bytes of SRAM, 65536 are there"
  uint64_t value = 0, limit = 0;
};

/// Fails on the first layer without a tiling.
tl::expected<Plan, PlanFailure> makePlan(const LayerGraph &graph, const Config &config);

/// Tiles along each dimension.
Dims countsOf(const LayerShape &shape, const Tiling &tiling);

/// The buffers that \p tiling needs.
std::vector<Buffer> buffersOf(const LayerShape &shape, const Tiling &tiling);

/// The fastest tiling by the closed forms, or how many bytes the smallest one would take.
tl::expected<Tiling, uint64_t> findTiling(const Config &config, const Layer &layer,
                                          const LayerShape &shape);

/// SRAM allocations are multiples of this many bytes.
inline constexpr uint64_t kBufferAlignment = 64;

} // namespace tenon::mortise
