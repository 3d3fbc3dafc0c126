// SPDX-License-Identifier: Apache-2.0
// Walks a segment's tiles. A load whose bytes are still in one of its buffer's copies is left out,
// and so are rows that a ring still holds.
#include "backend/mortise/emit/EmitSegment.h"

#include "backend/mortise/emit/Runs.h"
#include "backend/mortise/emit/Weights.h"
#include "backend/mortise/plan/TileSteps.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

/// What the copies of a buffer hold.
class Copies {
public:
  explicit Copies(const std::vector<uint32_t> &addresses)
      : addresses(addresses), held(addresses.size()) {}

  /// Address of the copy that holds \p box, and whether it has yet to be loaded: then it is the one
  /// that was not used last.
  std::pair<uint32_t, bool> find(const Box &box) {
    for (size_t i = 0; i < held.size(); ++i)
      if (held[i] == box)
        return {addresses[last = i], false};
    last = (last + 1) % addresses.size();
    held[last] = box;
    return {addresses[last], true};
  }

private:
  std::vector<uint32_t> addresses;
  std::vector<std::optional<Box>> held;
  size_t last = SIZE_MAX;
};

class LayerEmitter {
public:
  LayerEmitter(Emission &emission, uint32_t index)
      : out(emission), layer(emission.graph.layers[index]), plan(emission.plan.layers[index]),
        shape(plan.shape), addresses(emission.placement.buffers[index]), tag(uint16_t(index + 1)),
        arrived(shape.reads.size()) {
    for (const auto &ofBuffer : addresses)
      copies.emplace_back(ofBuffer);
  }

  /// Appends one tile, the layer's last if \p last.
  void emitTile(const Box &box, bool last) {
    begin();
    TileRun tile{out.graph, layer, plan, box, {}, {}, 0, table};
    std::vector<Access> accesses;
    for (uint32_t i = 0; i < shape.reads.size(); ++i)
      tile.reads.push_back(load(i, box, accesses));
    if (shape.brickBytes)
      tile.constants = loadConstants(box[kChannels], accesses);
    if (shape.tableBytes)
      accesses.push_back(sramAccess(table, shape.tableBytes, false));
    tile.output = tile.reads[0];
    if (shape.runs)
      runTile(tile, accesses, last && plan.handsTo);
    if (!plan.handsTo)
      store(box, tile.output, last);
  }

private:
  Emission &out;
  const Layer &layer;
  const LayerPlan &plan;
  const LayerShape &shape;
  const std::vector<std::vector<uint32_t>> &addresses; ///< by buffer and copy
  const uint16_t tag;
  std::vector<Copies> copies;                ///< by buffer
  std::vector<ArrivedRows> arrived;          ///< by read, in its ring
  std::vector<uint64_t> constantsOfChannels; ///< region 1 offset by tile along the channels
  uint32_t table = 0;
  bool begun = false;

  /// What comes before the first tile; and whose commands follow.
  void begin() {
    if (out.debug.empty() || out.debug.back().layerTag != tag)
      out.debug.push_back({out.commands.stream.commandCount(), tag, layer.operators});
    if (std::exchange(begun, true))
      return;
    const auto *copy = std::get_if<CopyLayer>(&layer.work);
    if (copy && copy->fillFirst)
      fillOutput();
    loadTable();
    storeConstants();
  }

  /// Buffer number of \p role, which the layer has.
  size_t bufferOf(BufferRole role) const {
    for (size_t i = 0; i < plan.buffers.size(); ++i)
      if (plan.buffers[i].role == role)
        return i;
    return 0;
  }

  const TensorPlace &placeOf(const TensorUse &use) const {
    return out.placement.tensors[use.tensor];
  }
  int32_t zeroPointOf(const TensorUse &use) const {
    return out.graph.tensors[use.tensor].zeroPoint;
  }

  void loadBytes(uint64_t offset, uint64_t bytes, uint32_t address) {
    Dma dma;
    dma.region = kConstantsRegion;
    dma.sramAddress = address;
    dma.dramOffset = offset;
    dma.n0 = uint32_t(bytes);
    const Access accesses[] = {sramAccess(address, bytes, true)};
    out.commands.add(Opcode::DMA_COPY, Engine::WT, dma, tag, accesses);
  }

  uint64_t appendConstants(ByteSpan bytes) {
    padTo(out.constants, kBufferAlignment);
    const uint64_t offset = out.constants.size();
    out.constants.insert(out.constants.end(), bytes.begin(), bytes.end());
    return offset;
  }

  /// All of the output becomes its zero point.
  void fillOutput() {
    const Dims extents = shape.output.extents();
    Box whole;
    for (size_t axis = 0; axis < 3; ++axis)
      whole[axis] = {0, extents[axis]};
    const LayerTensor &tensor = out.graph.tensors[shape.output.tensor];
    const TensorPlace &place = placeOf(shape.output);
    Dma dma;
    dma.region = place.region;
    dma.mode = DmaMode::STORE_LINEAR;
    dma.elementSize = uint8_t(shape.output.elementBytes);
    dma.dramOffset = place.offset;
    dma.n0 = uint32_t(tensor.sizeBytes());
    dma.padValue = int16_t(tensor.zeroPoint);
    const Access accesses[] = {dramAccess(shape.output, whole, placeOf(shape.output), true)};
    out.commands.add(Opcode::DMA_FILL, Engine::ST, dma, tag, accesses);
  }

  void loadTable() {
    if (!shape.tableBytes)
      return;
    Bytes bytes;
    if (const auto *mac = std::get_if<MacLayer>(&layer.work))
      bytes.assign(mac->table->begin(), mac->table->end());
    else
      bytes = std::get<ElementwiseLayer>(layer.work).tables;
    table = copies[bufferOf(BufferRole::Table)].find({}).first;
    loadBytes(appendConstants(bytes), bytes.size(), table);
  }

  void storeConstants() {
    if (!shape.brickBytes)
      return;
    const uint32_t channels = shape.out[kChannels], step = plan.tiling.tile[kChannels];
    for (uint32_t first = 0; first < channels; first += step)
      constantsOfChannels.push_back(appendConstants(packConstants(
          std::get<MacLayer>(layer.work), shape, {first, std::min(step, channels - first)})));
  }

  /// Loads what the tile \p outBox needs of a read and is not there.
  SramPart load(uint32_t read, const Box &outBox, std::vector<Access> &accesses) {
    const TensorUse &use = shape.reads[read];
    const Box box = use.boxOf(outBox);
    if (plan.buffers[read].ringRows)
      return loadRows(read, box, accesses);
    const auto [address, isNew] = copies[read].find(box);
    const SramPart part = partIn(use, use.largestPart(plan.tiling.tile), address);
    if (isNew)
      move(Engine::LD, use, box, part, false);
    addSramAccesses(accesses, use, box, part, false);
    return part;
  }

  SramPart loadRows(uint32_t read, const Box &box, std::vector<Access> &accesses) {
    const TensorUse &use = shape.reads[read];
    const uint32_t lines = plan.buffers[read].ringRows, address = addresses[read][0];
    Box fresh = box;
    if (!plan.buffers[read].handed) {
      fresh[kRows] = arrived[read].take(box[kRows]);
      if (fresh[kRows].size)
        move(Engine::LD, use, fresh, partInRing(use, lines, address, fresh[kRows].begin), false);
    }
    const SramPart part = partInRing(use, lines, address, box[kRows].begin);
    addSramAccesses(accesses, use, box, part, false);
    return part;
  }

  void move(Engine engine, const TensorUse &use, const Box &box, const SramPart &part, bool write,
            uint16_t flags = 0) {
    std::vector<Access> moved;
    addSramAccesses(moved, use, box, part, !write);
    moved.push_back(dramAccess(use, box, placeOf(use), write));
    out.commands.add(Opcode::DMA_COPY, engine,
                     transferOf(use, box, placeOf(use), part, write, zeroPointOf(use)), tag, moved,
                     flags);
  }

  uint32_t loadConstants(Range channels, std::vector<Access> &accesses) {
    const auto [address, isNew] =
        copies[bufferOf(BufferRole::Constants)].find({Range{}, Range{}, channels});
    const uint64_t bytes = constantBytesOf(shape, channels.size);
    if (isNew)
      loadBytes(constantsOfChannels[channels.begin / plan.tiling.tile[kChannels]], bytes, address);
    accesses.push_back(sramAccess(address, bytes, false));
    return address;
  }

  /// Where the tile goes: a copy of the output's buffer, or the ring of another layer's read.
  SramPart outputOf(const Box &box) {
    if (!plan.handsTo)
      return partIn(shape.output, plan.tiling.tile,
                    copies[bufferOf(BufferRole::Output)].find(box).first);
    const auto [reader, read] = *plan.handsTo;
    return partInRing(shape.output, out.plan.layers[reader].buffers[read].ringRows,
                      out.placement.buffers[reader][read][0], box[kRows].begin);
  }

  void runTile(TileRun &tile, std::vector<Access> &accesses, bool last) {
    tile.output = outputOf(tile.out);
    addSramAccesses(accesses, shape.output, tile.out, tile.output, true);
    EngineCommand command = makeRun(out.commands.stream, tile);
    out.commands.add(command.op, command.engine, command.payload, tag, accesses,
                     last ? Flag::LAST_OF_LAYER : uint16_t(0));
  }

  void store(const Box &outBox, const SramPart &part, bool last) {
    move(Engine::ST, shape.output, shape.output.boxOf(outBox), part, true,
         last ? Flag::LAST_OF_LAYER : uint16_t(0));
  }
};

} // namespace

void emitSegment(Emission &emission, uint32_t number) {
  const Segment &segment = emission.plan.segments[number];
  std::vector<LayerEmitter> emitters;
  for (uint32_t layer : segment.layers)
    emitters.emplace_back(emission, layer);
  for (const TileStep &step : stepsOf(emission.plan, segment))
    emitters[step.layer - segment.layers.front()].emitTile(step.out, step.last);
  const auto &lastSegment = emission.placement.lastSegment;
  for (uint32_t owner = 0; owner < lastSegment.size(); ++owner)
    if (lastSegment[owner] == number && emission.placement.tensors[owner].owner == owner)
      emission.commands.retire(owner);
}

} // namespace tenon::mortise
