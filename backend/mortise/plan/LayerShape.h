// SPDX-License-Identifier: Apache-2.0
// A layer as the planner sees it: an output to cut into tiles, what each tile reads, what it costs.
#pragma once
#include "backend/mortise/layers/LayerGraph.h"
#include "backend/mortise/plan/Geometry.h"
#include "hardware/mortise/Timing.h"

namespace tenon::mortise {

/// A tensor that a layer reads or writes, perhaps under other dimensions of the same bytes.
struct TensorUse {
  uint32_t tensor = 0;
  uint32_t elementBytes = 1;
  Layout layout = Layout::LINEAR; ///< in SRAM
  uint8_t broadcast = 0;          ///< Axis bits
  std::array<AxisMap, 3> axes;

  Dims extents() const { return {axes[0].extent, axes[1].extent, axes[2].extent}; }
  /// The part that \p out of the layer's output needs.
  Box boxOf(const Box &out) const;
  /// The largest part that an output tile of \p tile needs.
  Dims largestPart(const Dims &tile) const;
};

/// Where elements of a dense part lie in SRAM.
struct SramStrides {
  uint32_t row = 0, block = 0; ///< bytes; LINEAR: block is from column to column
};
SramStrides stridesOf(const TensorUse &use, const Dims &part);
uint64_t sramBytesOf(const TensorUse &use, const Dims &part);

/// What is constant about cutting a layer.
struct LayerShape {
  Dims out{1, 1, 1};            ///< what is cut
  std::vector<TensorUse> reads; ///< first the input, then the other operand
  TensorUse output;
  Dims step{1, 1, 1};      ///< a tile's extents are multiples, or the whole
  bool fold = false;       ///< contract kernel-x and channels together
  uint64_t brickBytes = 0; ///< MAC: weights of 16 output channels
  uint64_t tableBytes = 0; ///< look-up tables
  bool runs = true;        ///< false: bytes go from the input's buffer to the output
};

/// Free: layers without a window are flat, cut anywhere. Rows: rows stay rows.
enum class Cut : uint8_t { Free, Rows };

/// The shape of \p layer. It points to nothing of the graph.
LayerShape shapeOf(const LayerGraph &graph, const Layer &layer, Cut cut = Cut::Free);

/// Weights and channel table of \p channels output channels, as they are loaded together.
uint64_t constantBytesOf(const LayerShape &shape, uint32_t channels);

/// The engine's work for one tile of \p tile outputs; \p layer is not a copy.
timing::Work workOfTile(const Config &config, const Layer &layer, const LayerShape &shape,
                        const Dims &tile);

/// A transfer of \p box of a tensor of \p extents that lies at \p offset.
DmaShape dmaOf(const TensorUse &use, const Box &box, uint64_t offset, bool write);

} // namespace tenon::mortise
