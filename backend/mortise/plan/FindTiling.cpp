// SPDX-License-Identifier: Apache-2.0
// The search: rows, columns and output channels of a tile and the order of the loops, weighed by
// the closed forms. Engines run side by side, so a layer takes as long as its busiest one, and what
// its first loads and its last store add.
#include <algorithm>
#include <cmath>

#include "backend/mortise/plan/Plan.h"
#include "planning/Candidates.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

constexpr uint32_t kMaxTileExtent = 65535; ///< a command's field
constexpr uint64_t kDispatchCycles = 8;

/// Loops, outermost first.
std::array<size_t, 3> loopsOf(const Tiling &tiling) {
  return tiling.channelsOuter ? std::array{kChannels, kRows, kColumns}
                              : std::array{kRows, kColumns, kChannels};
}

struct Loads {
  uint64_t distinct = 1, times = 1;
};

/// How often something is loaded that depends on the dimensions in \p moves.
Loads loadsOf(const Tiling &tiling, const Dims &counts, const std::array<bool, 3> &moves) {
  Loads loads;
  uint64_t trips = 1;
  for (size_t axis : loopsOf(tiling)) {
    trips *= counts[axis];
    if (moves[axis] && counts[axis] > 1) {
      loads.distinct *= counts[axis];
      loads.times = trips;
    }
  }
  if (loads.distinct <= tiling.copies)
    loads.times = loads.distinct;
  return loads;
}

std::array<bool, 3> movesOf(const TensorUse &use) {
  return {use.axes[0].moves(), use.axes[1].moves(), use.axes[2].moves()};
}
constexpr std::array<bool, 3> kMovesWithChannels = {false, false, true};

/// Cycles of each engine and what they share.
class Estimate {
public:
  Estimate(const Config &config, const Layer &layer, const LayerShape &shape, const Tiling &tiling)
      : config(config), layer(layer), shape(shape), tiling(tiling),
        counts(countsOf(shape, tiling)) {
    tiles = double(counts[0]) * counts[1] * counts[2];
  }

  uint64_t cycles() {
    addConstants();
    for (size_t corner = 0; corner < 8; ++corner)
      addTiles(corner);
    const double dram = dramBytes / config.dramBytesPerCycle();
    const double overlap =
        std::max({load, constants, run, store, dram, commands * kDispatchCycles});
    const double fill = firstLoad + lastStore;
    return uint64_t(std::ceil(tiling.copies > 1 ? overlap + fill : load + constants + run + store));
  }

private:
  const Config &config;
  const Layer &layer;
  const LayerShape &shape;
  const Tiling &tiling;
  const Dims counts;
  double tiles = 1, load = 0, constants = 0, run = 0, store = 0, dramBytes = 0, commands = 0;
  double firstLoad = 0, lastStore = 0;

  double transfer(const DmaShape &dma, double times) {
    const timing::Work work = workOf(config, dma);
    dramBytes += times * double(work.dramBytes);
    commands += times;
    return double(cyclesAlone(config, work));
  }

  void addConstants() {
    const uint64_t bytes = constantBytesOf(shape, tiling.tile[kChannels]);
    if (bytes) {
      const double times = double(loadsOf(tiling, counts, kMovesWithChannels).times);
      firstLoad = transfer({0, bytes}, times);
      constants += times * firstLoad;
    }
    if (shape.tableBytes)
      constants += transfer({0, shape.tableBytes}, 1);
  }

  /// Tiles that are last or not last along each dimension, by the bits of \p corner.
  void addTiles(size_t corner) {
    Box out;
    double count = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
      const bool last = corner >> axis & 1;
      const uint32_t before = counts[axis] - 1;
      const uint32_t begin = last ? before * tiling.tile[axis] : before / 2 * tiling.tile[axis];
      out[axis] = {begin, last ? shape.out[axis] - begin : tiling.tile[axis]};
      count *= last ? 1 : before;
    }
    if (count > 0)
      addTile(out, count);
  }

  void addTile(const Box &out, double count) {
    for (const TensorUse &use : shape.reads) {
      const double times = count * double(loadsOf(tiling, counts, movesOf(use)).times) / tiles;
      const double alone = transfer(dmaOf(use, use.boxOf(out), 0, false), times);
      load += times * alone;
      firstLoad = std::max(firstLoad, alone);
    }
    run += count * double(cyclesAlone(config, workOfTile(config, layer, shape, sizeOf(out))));
    commands += shape.runs ? count : 0;
    lastStore = transfer(dmaOf(shape.output, shape.output.boxOf(out), 0, true), count);
    store += count * lastStore;
  }
};

class Search {
public:
  Search(const Config &config, const Layer &layer, const LayerShape &shape)
      : config(config), layer(layer), shape(shape) {}

  tl::expected<Tiling, uint64_t> run() {
    for (uint32_t copies : {2u, 1u})
      if (cutRows(copies))
        return best;
    return tl::unexpected(smallestBytes);
  }

private:
  const Config &config;
  const Layer &layer;
  const LayerShape &shape;
  Tiling best;
  bool found = false;
  uint64_t smallestBytes = UINT64_MAX;

  std::vector<uint32_t> extents(size_t axis) const {
    return planning::tileExtents(shape.out[axis], shape.step[axis], kMaxTileExtent);
  }

  /// Columns are cut only where whole rows do not fit: runs in DRAM stay long.
  bool cutRows(uint32_t copies) {
    for (uint32_t columns : extents(kColumns)) {
      for (uint32_t rows : extents(kRows))
        for (uint32_t channels : extents(kChannels))
          for (bool outer : {false, true})
            consider({{rows, columns, channels}, outer, copies, 0});
      if (found && shape.out[kRows] > 1)
        return true;
    }
    return found;
  }

  void consider(Tiling tiling) {
    const uint64_t bytes = bytesOf(buffersOf(shape, tiling));
    smallestBytes = std::min(smallestBytes, bytes);
    if (bytes > config.sramBytes)
      return;
    tiling.cycles = Estimate(config, layer, shape, tiling).cycles();
    if (!found || tiling.cycles < best.cycles)
      best = tiling, found = true;
  }
};

} // namespace

uint64_t bytesOf(const std::vector<Buffer> &buffers) {
  uint64_t bytes = 0;
  for (const Buffer &buffer : buffers)
    bytes += alignUp(buffer.bytes, kBufferAlignment) * buffer.copies;
  return bytes;
}

Dims countsOf(const LayerShape &shape, const Tiling &tiling) {
  Dims counts;
  for (size_t axis = 0; axis < 3; ++axis)
    counts[axis] = ceilDiv(shape.out[axis], tiling.tile[axis]);
  return counts;
}

std::vector<Buffer> buffersOf(const LayerShape &shape, const Tiling &tiling) {
  const Dims counts = countsOf(shape, tiling);
  const auto copies = [&](const std::array<bool, 3> &moves) {
    return uint32_t(std::min<uint64_t>(tiling.copies, loadsOf(tiling, counts, moves).distinct));
  };
  std::vector<Buffer> buffers;
  for (uint32_t i = 0; i < shape.reads.size(); ++i)
    buffers.push_back({BufferRole::Read, i,
                       sramBytesOf(shape.reads[i], shape.reads[i].largestPart(tiling.tile)),
                       copies(movesOf(shape.reads[i]))});
  if (shape.brickBytes)
    buffers.push_back({BufferRole::Constants, 0, constantBytesOf(shape, tiling.tile[kChannels]),
                       copies(kMovesWithChannels)});
  if (shape.tableBytes)
    buffers.push_back({BufferRole::Table, 0, shape.tableBytes, 1});
  if (shape.runs)
    buffers.push_back({BufferRole::Output, 0, sramBytesOf(shape.output, tiling.tile),
                       copies({true, true, true})});
  return buffers;
}

tl::expected<Tiling, uint64_t> findTiling(const Config &config, const Layer &layer,
                                          const LayerShape &shape) {
  return Search(config, layer, shape).run();
}

} // namespace tenon::mortise
