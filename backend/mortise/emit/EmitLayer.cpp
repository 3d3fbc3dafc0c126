// SPDX-License-Identifier: Apache-2.0
// Walks a layer's tiles. A load whose bytes are still in one of its buffer's copies is left out.
#include "backend/mortise/emit/EmitLayer.h"

#include "backend/mortise/emit/Runs.h"
#include "backend/mortise/emit/Weights.h"
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

/// Bytes from the first to the last that a part of \p size takes in a buffer for \p largest.
uint64_t spanOf(const TensorUse &use, const Dims &size, const Dims &largest) {
  const SramStrides strides = stridesOf(use, largest);
  const uint64_t rows = uint64_t(size[kRows] - 1) * strides.row;
  if (use.layout == Layout::LINEAR)
    return rows + uint64_t(size[kColumns] - 1) * strides.block + size[kChannels] * use.elementBytes;
  return rows + uint64_t((size[kChannels] - 1) / 16) * strides.block +
         uint64_t(size[kColumns]) * 16 * use.elementBytes;
}

/// A linear transfer's items become longer where they follow each other in both memories.
void mergeItems(Dma &dma) {
  if (dma.n1 == 1 || (dma.dramStride1 == dma.n0 && dma.sramStride1 == dma.n0)) {
    dma.n0 *= dma.n1;
    dma.n1 = 1, dma.dramStride1 = dma.sramStride1 = 0;
  }
  if (dma.n1 == 1 && (dma.n2 == 1 || (dma.dramStride2 == dma.n0 && dma.sramStride2 == dma.n0))) {
    dma.n0 *= dma.n2;
    dma.n2 = 1, dma.dramStride2 = dma.sramStride2 = 0;
  }
}

class LayerEmitter {
public:
  LayerEmitter(Emission &emission, uint32_t index)
      : out(emission), layer(emission.graph.layers[index]), plan(emission.plan.layers[index]),
        shape(plan.shape), tag(uint16_t(index + 1)) {
    const auto &addresses = emission.placement.buffers[index];
    for (size_t i = 0; i < addresses.size(); ++i)
      copies.emplace_back(addresses[i]);
  }

  void run() {
    const auto *copy = std::get_if<CopyLayer>(&layer.work);
    if (copy && copy->fillFirst)
      fillOutput();
    loadTable();
    storeConstants();
    const Dims counts = countsOf(shape, plan.tiling);
    const uint64_t tiles = uint64_t(counts[0]) * counts[1] * counts[2];
    for (uint64_t i = 0; i < tiles; ++i)
      emitTile(tileAt(i, counts), i + 1 == tiles);
  }

private:
  Emission &out;
  const Layer &layer;
  const LayerPlan &plan;
  const LayerShape &shape;
  const uint16_t tag;
  std::vector<Copies> copies;                ///< by buffer
  std::vector<uint64_t> constantsOfChannels; ///< region 1 offset by tile along the channels
  uint32_t table = 0;

  /// Buffer number of \p role, which the layer has.
  size_t bufferOf(BufferRole role) const {
    for (size_t i = 0; i < plan.buffers.size(); ++i)
      if (plan.buffers[i].role == role)
        return i;
    return 0;
  }

  Box tileAt(uint64_t index, const Dims &counts) const {
    Dims at{};
    const std::array<size_t, 3> innermostFirst = plan.tiling.channelsOuter
                                                     ? std::array{kColumns, kRows, kChannels}
                                                     : std::array{kChannels, kColumns, kRows};
    for (size_t axis : innermostFirst) {
      at[axis] = uint32_t(index % counts[axis]);
      index /= counts[axis];
    }
    Box box;
    for (size_t axis = 0; axis < 3; ++axis) {
      const uint32_t begin = at[axis] * plan.tiling.tile[axis];
      box[axis] = {begin, std::min(plan.tiling.tile[axis], shape.out[axis] - begin)};
    }
    return box;
  }

  Access inDram(const TensorUse &use, const Box &box, bool write) const {
    const TensorPlace &place = out.placement.tensors[use.tensor];
    const DmaShape dma = dmaOf(use, box, place.offset, write);
    const uint64_t end =
        dma.offset + (dma.n2 - 1) * dma.stride2 + (dma.n1 - 1) * dma.stride1 + dma.n0;
    return {place.region, dma.offset, end, write, GridBox{place.owner, use.extents(), box}};
  }
  static Access inSram(uint32_t address, uint64_t bytes, bool write) {
    return {kSramSpace, address, address + bytes, write, std::nullopt};
  }
  Access partInSram(const TensorUse &use, const Box &box, const Dims &largest, uint32_t address,
                    bool write) const {
    return inSram(address, spanOf(use, sizeOf(box), largest), write);
  }

  Dma dmaFor(const TensorUse &use, const Box &box, const Dims &largest, uint32_t address,
             bool write) const {
    const TensorPlace &place = out.placement.tensors[use.tensor];
    const DmaShape shape = dmaOf(use, box, place.offset, write);
    const SramStrides strides = stridesOf(use, largest);
    const bool linear = use.layout == Layout::LINEAR;
    Dma dma;
    dma.region = place.region;
    dma.mode = write ? (linear ? DmaMode::STORE_LINEAR : DmaMode::B16_TO_NHWC)
                     : (linear ? DmaMode::LOAD_LINEAR : DmaMode::NHWC_TO_B16);
    dma.elementSize = uint8_t(use.elementBytes);
    dma.sramAddress = address;
    dma.dramOffset = shape.offset;
    dma.n0 = uint32_t(shape.n0), dma.n1 = uint16_t(shape.n1), dma.n2 = uint16_t(shape.n2);
    dma.dramStride1 = shape.n1 > 1 ? uint32_t(shape.stride1) : 0;
    dma.dramStride2 = shape.n2 > 1 ? uint32_t(shape.stride2) : 0;
    dma.sramStride1 = strides.block, dma.sramStride2 = strides.row;
    if (linear)
      mergeItems(dma);
    else if (!write)
      dma.padValue = int16_t(out.graph.tensors[use.tensor].zeroPoint);
    return dma;
  }

  void loadBytes(uint64_t offset, uint64_t bytes, uint32_t address) {
    Dma dma;
    dma.region = kConstantsRegion;
    dma.sramAddress = address;
    dma.dramOffset = offset;
    dma.n0 = uint32_t(bytes);
    const Access accesses[] = {inSram(address, bytes, true)};
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
    const TensorPlace &place = out.placement.tensors[shape.output.tensor];
    Dma dma;
    dma.region = place.region;
    dma.mode = DmaMode::STORE_LINEAR;
    dma.elementSize = uint8_t(shape.output.elementBytes);
    dma.dramOffset = place.offset;
    dma.n0 = uint32_t(tensor.sizeBytes());
    dma.padValue = int16_t(tensor.zeroPoint);
    const Access accesses[] = {inDram(shape.output, whole, true)};
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

  void emitTile(const Box &box, bool last) {
    TileRun tile{out.graph, layer, plan, box, {}, 0, 0, table};
    std::vector<Access> accesses;
    for (uint32_t i = 0; i < shape.reads.size(); ++i)
      tile.reads.push_back(load(i, box, accesses));
    if (shape.brickBytes)
      tile.constants = loadConstants(box[kChannels], accesses);
    if (shape.tableBytes)
      accesses.push_back(inSram(table, shape.tableBytes, false));
    tile.output = tile.reads[0];
    if (shape.runs)
      runTile(tile, accesses);
    store(box, tile.output, last);
  }

  uint32_t load(uint32_t read, const Box &outBox, std::vector<Access> &accesses) {
    const TensorUse &use = shape.reads[read];
    const Box box = use.boxOf(outBox);
    const Dims largest = use.largestPart(plan.tiling.tile);
    const auto [address, isNew] = copies[read].find(box);
    if (isNew) {
      const Access moved[] = {inDram(use, box, false),
                              partInSram(use, box, largest, address, true)};
      out.commands.add(Opcode::DMA_COPY, Engine::LD, dmaFor(use, box, largest, address, false), tag,
                       moved);
    }
    accesses.push_back(partInSram(use, box, largest, address, false));
    return address;
  }

  uint32_t loadConstants(Range channels, std::vector<Access> &accesses) {
    const auto [address, isNew] =
        copies[bufferOf(BufferRole::Constants)].find({Range{}, Range{}, channels});
    const uint64_t bytes = constantBytesOf(shape, channels.size);
    if (isNew)
      loadBytes(constantsOfChannels[channels.begin / plan.tiling.tile[kChannels]], bytes, address);
    accesses.push_back(inSram(address, bytes, false));
    return address;
  }

  void runTile(TileRun &tile, std::vector<Access> &accesses) {
    tile.output = copies[bufferOf(BufferRole::Output)].find(tile.out).first;
    accesses.push_back(partInSram(shape.output, tile.out, plan.tiling.tile, tile.output, true));
    EngineCommand command = makeRun(out.commands.stream, tile);
    out.commands.add(command.op, command.engine, command.payload, tag, accesses);
  }

  void store(const Box &outBox, uint32_t address, bool last) {
    const TensorUse &use = shape.output;
    const Box box = use.boxOf(outBox);
    const Access moved[] = {partInSram(use, box, plan.tiling.tile, address, false),
                            inDram(use, box, true)};
    out.commands.add(Opcode::DMA_COPY, Engine::ST,
                     dmaFor(use, box, plan.tiling.tile, address, true), tag, moved,
                     last ? Flag::LAST_OF_LAYER : uint16_t(0));
  }
};

} // namespace

void emitLayer(Emission &emission, uint32_t index) {
  LayerEmitter(emission, index).run();
  const auto &lastLayer = emission.placement.lastLayer;
  for (uint32_t owner = 0; owner < lastLayer.size(); ++owner)
    if (lastLayer[owner] == index && emission.placement.tensors[owner].owner == owner)
      emission.commands.retire(owner);
}

} // namespace tenon::mortise
