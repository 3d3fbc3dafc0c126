// SPDX-License-Identifier: Apache-2.0
// Cuts every layer into tiles that fit SRAM, and groups layers into segments.
#pragma once
#include <span>
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
  /// Read: lines that the tensor's rows take in turn, row r line r mod ringRows, so that rows which
  /// the next tile needs again stay; whole rows, all channels. 0: the buffer holds a tile's part.
  uint32_t ringRows = 0;
  bool handed = false; ///< ring: another layer of the segment writes the rows; no loads
};

/// How a layer is cut.
struct Tiling {
  Dims tile{1, 1, 1};         ///< extents of a tile of the output; the last may be smaller
  bool channelsOuter = false; ///< channels are the outermost loop, else the innermost
  uint32_t copies = 2;        ///< most copies of a buffer
  uint64_t cycles = 0;        ///< estimate
};

/// The read that takes a layer's output from SRAM.
struct Handover {
  uint32_t layer = 0, read = 0;
};

struct LayerPlan {
  LayerShape shape;
  Tiling tiling;
  std::vector<Buffer> buffers; ///< reads in their order first
  /// The output goes into this read's ring and never to DRAM: it has no buffer of its own.
  std::optional<Handover> handsTo;
};

/// Layers whose buffers are in SRAM together, in the graph's order. One layer, cut as its tiling
/// says; or a cascade: each but the last hands its rows to the next, tiles are whole rows, weights
/// stay. Steps.h says in which order the tiles run.
struct Segment {
  std::vector<uint32_t> layers;
};

/// Asks for a segment of layers \p first to \p last.
struct Cascade {
  uint32_t first = 0, last = 0;
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

/// Layers of \p cascades, which share none, become segments; each other layer is one of its own.
/// Fails on the first layer without a tiling and on a cascade that cannot be. The result is
/// verified.
tl::expected<Plan, PlanFailure> makePlan(const LayerGraph &graph, const Config &config,
                                         std::span<const Cascade> cascades = {});

/// Plans the layers of \p segment, a cascade, in \p plan: the fastest stripes by the closed forms.
/// Fails on the layer that cannot take part, or if SRAM does not hold all weights and the smallest
/// stripe.
tl::expected<void, PlanFailure> planCascade(const LayerGraph &graph, const Config &config,
                                            const Segment &segment, Plan &plan);

/// What no tiling of \p shape can help.
std::optional<PlanFailure> refusalOf(const LayerShape &shape, uint32_t layer);

/// Lines of a ring from which tiles of \p tile output rows read by \p rows. \p ahead: while one
/// tile is read, what the next one adds is written.
uint32_t ringRowsOf(const AxisMap &rows, uint32_t tile, bool ahead);

/// Fails if the segments do not hold every layer once, in order, or a tile reads a row that its
/// ring does not hold at that step: the order is Steps.h's. Independent of how rings were sized.
Expected<void> verifyPlan(const Plan &plan);

/// Tiles along each dimension.
Dims countsOf(const LayerShape &shape, const Tiling &tiling);

/// SRAM that \p buffers take together.
uint64_t bytesOf(const std::vector<Buffer> &buffers);

/// The buffers that \p tiling needs.
std::vector<Buffer> buffersOf(const LayerShape &shape, const Tiling &tiling);

/// The fastest tiling by the closed forms, or how many bytes the smallest one would take.
tl::expected<Tiling, uint64_t> findTiling(const Config &config, const Layer &layer,
                                          const LayerShape &shape);

/// SRAM allocations are multiples of this many bytes.
inline constexpr uint64_t kBufferAlignment = 64;

} // namespace tenon::mortise
