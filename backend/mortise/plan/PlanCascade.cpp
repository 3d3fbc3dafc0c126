// SPDX-License-Identifier: Apache-2.0
// Plans a cascade: what its layers hand on, how many rows a stripe has, what lies in SRAM.
#include <algorithm>
#include <cmath>

#include "backend/mortise/plan/TileSteps.h"
#include "planning/Candidates.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

constexpr uint32_t kMaxRows = 65535; ///< a command's first row
constexpr uint64_t kDispatchCycles = 8;
/// Plans this close to the fastest are as fast: the one that needs the least SRAM is taken.
constexpr double kSlack = 1.02;

/// Whole rows: all of them, from the first column and channel on.
bool readsWholeRows(const TensorUse &use, const Dims &out) {
  return use.axes[kRows].kind == AxisMap::Kind::Window &&
         use.axes[kColumns].partOf({0, out[kColumns]}).range.begin == 0 &&
         use.axes[kChannels].partOf({0, out[kChannels]}).range.begin == 0;
}

/// Which layers may hand rows on, and to which read.
class Matchmaker {
public:
  explicit Matchmaker(const LayerGraph &graph) : graph(graph) {}

  /// The read of layer \p to that takes the output of \p shape, layer \p from.
  tl::expected<Handover, PlanFailure> match(const LayerShape &shape, uint32_t from,
                                            const LayerShape &reader, uint32_t to) const {
    const uint32_t tensor = shape.output.tensor;
    if (!shape.runs || !reader.runs)
      return refuse(from, tensor, "copies have no engine that could fill or read a ring");
    if (auto why = whyShared(tensor, to); !why.empty())
      return refuse(from, tensor, why);
    const auto read = std::ranges::find(reader.reads, tensor, &TensorUse::tensor);
    if (read == reader.reads.end())
      return refuse(from, tensor, fmt::format("layer {} does not read it", to));
    if (!readsWholeRows(*read, reader.out))
      return refuse(from, tensor, fmt::format("layer {} does not read it row by row", to));
    if (const uint32_t rows = graph.tensors[tensor].h; rows > kMaxRows)
      return refuse(from, tensor, fmt::format("its {} rows exceed {}", rows, kMaxRows));
    return Handover{to, uint32_t(read - reader.reads.begin())};
  }

private:
  const LayerGraph &graph;

  tl::unexpected<PlanFailure> refuse(uint32_t layer, uint32_t tensor,
                                     const std::string &why) const {
    return tl::unexpected(PlanFailure{
        layer, fmt::format("\"{}\" cannot stay in a cascade's ring: {}; leave the cascade out",
                           graph.tensors[tensor].name, why)});
  }

  /// Who else needs \p tensor, which only layer \p reader may read, once.
  std::string whyShared(uint32_t tensor, uint32_t reader) const {
    if (graph.tensors[tensor].home != Home::Scratch)
      return "it is an edge of the partition";
    if (graph.tensors[tensor].aliasOf ||
        std::ranges::count(graph.tensors, std::optional(tensor), &LayerTensor::aliasOf))
      return "it has another name";
    uint32_t reads = 0, writes = 0;
    for (uint32_t i = 0; i < graph.layers.size(); ++i) {
      const LayerShape shape = shapeOf(graph, graph.layers[i]);
      writes += shape.output.tensor == tensor;
      for (const TensorUse &use : shape.reads)
        if (use.tensor == tensor && (i != reader || ++reads > 1))
          return fmt::format("layer {} reads it, too", i);
    }
    return writes == 1 ? "" : fmt::format("{} layers write it", writes);
  }
};

/// What the steps of a cascade take, engine by engine.
class Estimate {
public:
  Estimate(const LayerGraph &graph, const Config &config, const Plan &plan)
      : graph(graph), config(config), plan(plan), arrived(plan.layers.size()) {}

  uint64_t cycles(const Segment &segment) {
    for (uint32_t layer : segment.layers)
      addConstants(plan.layers[layer].shape);
    const double first = constants;
    for (const TileStep &step : stepsOf(plan, segment))
      add(step);
    const double dram = dramBytes / config.dramBytesPerCycle();
    const double overlap =
        std::max({load, constants, mac, vec, store, dram, commands * kDispatchCycles});
    const bool ahead = plan.layers[segment.layers.front()].tiling.copies > 1;
    return uint64_t(
        std::ceil(ahead ? overlap + first + lastStore : load + constants + mac + vec + store));
  }

private:
  const LayerGraph &graph;
  const Config &config;
  const Plan &plan;
  std::vector<std::array<ArrivedRows, 2>> arrived; ///< by layer and read
  double load = 0, constants = 0, mac = 0, vec = 0, store = 0, dramBytes = 0, commands = 0;
  double lastStore = 0;

  double transfer(const DmaShape &dma) {
    const timing::Work work = workOf(config, dma);
    dramBytes += double(work.dramBytes);
    ++commands;
    return double(cyclesAlone(config, work));
  }

  void addConstants(const LayerShape &shape) {
    for (uint64_t bytes : {constantBytesOf(shape, shape.out[kChannels]), shape.tableBytes})
      if (bytes)
        constants += transfer({0, bytes});
  }

  void addLoad(const TensorUse &use, const Buffer &buffer, const Box &out, ArrivedRows &rows) {
    Box box = use.boxOf(out);
    if (buffer.handed)
      return;
    if (buffer.ringRows || !use.axes[kRows].moves())
      box[kRows] = rows.take(box[kRows]);
    if (box[kRows].size)
      load += transfer(dmaOf(use, box, 0, false));
  }

  void add(const TileStep &step) {
    const LayerPlan &own = plan.layers[step.layer];
    for (size_t i = 0; i < own.shape.reads.size(); ++i)
      addLoad(own.shape.reads[i], own.buffers[i], step.out, arrived[step.layer][i]);
    const Layer &layer = graph.layers[step.layer];
    const timing::Work work = workOfTile(config, layer, own.shape, sizeOf(step.out));
    (std::holds_alternative<MacLayer>(layer.work) ? mac : vec) += double(cyclesAlone(config, work));
    ++commands;
    if (!own.handsTo)
      store += lastStore =
          transfer(dmaOf(own.shape.output, own.shape.output.boxOf(step.out), 0, true));
  }
};

/// Tries stripes.
class Search {
public:
  Search(const LayerGraph &graph, const Config &config, const Segment &segment, Plan &plan)
      : graph(graph), config(config), segment(segment), plan(plan) {}

  tl::expected<void, PlanFailure> run() {
    for (uint32_t copies : {2u, 1u}) {
      const Dims out = plan.layers[segment.layers.back()].shape.out;
      for (uint32_t rows : planning::tileExtents(out[kRows], 1, kMaxRows))
        consider(rows, copies);
      if (!fitting.empty())
        return settle(), tl::expected<void, PlanFailure>();
    }
    return tl::unexpected(failure());
  }

private:
  struct Candidate {
    uint32_t rows = 0, copies = 0;
    uint64_t bytes = 0, cycles = 0;
  };
  const LayerGraph &graph;
  const Config &config;
  const Segment &segment;
  Plan &plan;
  std::vector<Candidate> fitting;
  uint64_t smallestBytes = UINT64_MAX;

  bool onMac(uint32_t layer) const {
    return std::holds_alternative<MacLayer>(graph.layers[layer].work);
  }

  /// A ring keeps rows that windows of two tiles share; its writer may be ahead if it is not the
  /// engine that reads.
  void makeRing(uint32_t layer, uint32_t read) {
    LayerPlan &own = plan.layers[layer];
    const TensorUse &use = own.shape.reads[read];
    Buffer &buffer = own.buffers[read];
    for (uint32_t other : segment.layers)
      if (const auto &to = plan.layers[other].handsTo; to && to->layer == layer && to->read == read)
        buffer.handed = true, buffer.copies = onMac(other) == onMac(layer) ? 1 : own.tiling.copies;
    const AxisMap &rows = use.axes[kRows];
    const bool shares = readsWholeRows(use, own.shape.out) && rows.span > rows.stride;
    if (!buffer.handed && (!shares || rows.extent > kMaxRows))
      return;
    buffer.ringRows = ringRowsOf(rows, own.tiling.tile[kRows], buffer.copies > 1);
    buffer.copies = 1;
    buffer.bytes = sramBytesOf(use, {buffer.ringRows, use.extents()[1], use.extents()[2]});
  }

  /// Stripes of \p rows rows, and earlier layers' tiles as large as a stripe adds to their rings.
  void cut(uint32_t rows, uint32_t copies) {
    for (auto layer = segment.layers.rbegin(); layer != segment.layers.rend(); ++layer) {
      LayerPlan &own = plan.layers[*layer];
      if (own.handsTo) {
        const LayerPlan &reader = plan.layers[own.handsTo->layer];
        rows = reader.tiling.tile[kRows] * reader.shape.reads[own.handsTo->read].axes[kRows].stride;
        rows = std::min(rows, own.shape.out[kRows]);
      }
      own.tiling = {{rows, own.shape.out[kColumns], own.shape.out[kChannels]}, false, copies, 0};
      own.buffers = buffersOf(own.shape, own.tiling);
      for (uint32_t read = 0; read < own.shape.reads.size(); ++read)
        makeRing(*layer, read);
      if (own.handsTo)
        std::erase_if(own.buffers, [](const Buffer &b) { return b.role == BufferRole::Output; });
    }
  }

  uint64_t sramBytes() const {
    uint64_t bytes = 0;
    for (uint32_t layer : segment.layers)
      bytes += bytesOf(plan.layers[layer].buffers);
    return bytes;
  }

  void consider(uint32_t rows, uint32_t copies) {
    cut(rows, copies);
    const uint64_t bytes = sramBytes();
    smallestBytes = std::min(smallestBytes, bytes);
    if (bytes <= config.sramBytes / kBufferAlignment * kBufferAlignment)
      fitting.push_back({rows, copies, bytes, Estimate(graph, config, plan).cycles(segment)});
  }

  void settle() {
    const uint64_t least = std::ranges::min(fitting, {}, &Candidate::cycles).cycles;
    std::erase_if(fitting,
                  [&](const Candidate &c) { return double(c.cycles) > kSlack * double(least); });
    const Candidate best = std::ranges::min(fitting, {}, &Candidate::bytes);
    cut(best.rows, best.copies);
    plan.layers[segment.layers.back()].tiling.cycles = best.cycles;
  }

  PlanFailure failure() const {
    uint64_t weights = 0;
    for (uint32_t layer : segment.layers)
      for (const Buffer &buffer : plan.layers[layer].buffers)
        weights += buffer.role == BufferRole::Constants ? buffer.bytes : 0;
    return {segment.layers.front(),
            fmt::format("the smallest stripe of the cascade of layers {} to {} needs {} bytes of "
                        "SRAM, {} of them for weights, {} are there; leave the cascade out",
                        segment.layers.front(), segment.layers.back(), smallestBytes, weights,
                        config.sramBytes),
            smallestBytes, config.sramBytes};
  }
};

} // namespace

uint32_t ringRowsOf(const AxisMap &rows, uint32_t tile, bool ahead) {
  const uint64_t lines = rows.largestPart(tile) + (ahead ? uint64_t(tile) * rows.stride : 0);
  return uint32_t(std::min<uint64_t>(lines, rows.extent));
}

tl::expected<void, PlanFailure> planCascade(const LayerGraph &graph, const Config &config,
                                            const Segment &segment, Plan &plan) {
  for (uint32_t layer : segment.layers) {
    plan.layers[layer] = {shapeOf(graph, graph.layers[layer], Cut::Rows), {}, {}, {}};
    if (auto refusal = refusalOf(plan.layers[layer].shape, layer))
      return tl::unexpected(*refusal);
  }
  const Matchmaker matchmaker(graph);
  for (size_t i = 0; i + 1 < segment.layers.size(); ++i) {
    const uint32_t from = segment.layers[i], to = segment.layers[i + 1];
    auto match = matchmaker.match(plan.layers[from].shape, from, plan.layers[to].shape, to);
    if (!match)
      return tl::unexpected(match.error());
    plan.layers[from].handsTo = *match;
    // The ring lies as its reader wants it; engines write either layout.
    plan.layers[from].shape.output.layout = plan.layers[to].shape.reads[match->read].layout;
  }
  return Search(graph, config, segment, plan).run();
}

} // namespace tenon::mortise
