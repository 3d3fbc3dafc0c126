// SPDX-License-Identifier: Apache-2.0
// MAC.RUN and VEC.RUN with their descriptors.
#include "backend/mortise/emit/Runs.h"

namespace tenon::mortise {
namespace {

View viewOf(const TileRun &tile, const TensorUse &use, const SramPart &part) {
  const LayerTensor &tensor = tile.graph.tensors[use.tensor];
  View view;
  view.dtype = tensor.dtype;
  view.layout = use.layout;
  view.broadcast = use.broadcast;
  view.zeroPoint = tensor.dtype == DType::I32 ? int16_t(0) : int16_t(tensor.zeroPoint);
  view.ringRows = uint16_t(part.ringRows);
  view.rowStride = part.strides.row;
  view.blockStride = part.strides.block;
  return view;
}

View viewOfRead(const TileRun &tile, size_t read) {
  return viewOf(tile, tile.plan.shape.reads[read], tile.reads[read]);
}
View viewOfOutput(const TileRun &tile) { return viewOf(tile, tile.plan.shape.output, tile.output); }

/// The input's part and the padding around it, as both kinds of command carry it.
template <typename Run> void setWindow(Run &run, const TileRun &tile) {
  const TensorUse &input = tile.plan.shape.reads[0];
  const AxisPart rows = input.axes[kRows].partOf(tile.out[kRows]);
  const AxisPart columns = input.axes[kColumns].partOf(tile.out[kColumns]);
  run.inRows = uint16_t(rows.range.size), run.inCols = uint16_t(columns.range.size);
  run.padTop = uint8_t(rows.padBefore), run.padBottom = uint8_t(rows.padAfter);
  run.padLeft = uint8_t(columns.padBefore), run.padRight = uint8_t(columns.padAfter);
}

void setEltwise(MacDescriptor &d, const TileRun &tile, const FusedEltwise &fused) {
  d.operand = viewOfRead(tile, 1);
  d.eltwise = fused.op;
  d.inputLeftShift = fused.inputLeftShift;
  d.mainMultiplier = fused.main.multiplier, d.mainShift = fused.main.shift;
  d.operandMultiplier = fused.operandScale.multiplier, d.operandShift = fused.operandScale.shift;
  d.resultMultiplier = fused.result.multiplier, d.resultShift = fused.result.shift;
}

MacDescriptor descriptorOf(const TileRun &tile, const MacLayer &layer) {
  MacDescriptor d;
  const TensorUse &input = tile.plan.shape.reads[0];
  d.mode = layer.mode;
  d.kernelH = layer.kernelH, d.kernelW = layer.kernelW;
  d.strideH = layer.strideH, d.strideW = layer.strideW;
  d.dilationH = layer.dilationH, d.dilationW = layer.dilationW;
  d.fold = tile.plan.shape.fold;
  d.channelMultiplier = layer.channelMultiplier;
  d.inputChannels = uint16_t(input.boxOf(tile.out)[kChannels].size);
  d.input = viewOfRead(tile, 0);
  d.output = viewOfOutput(tile);
  d.weightZeroPoint = layer.weightZeroPoint;
  d.rounding = layer.rounding;
  d.zeroPointA = int16_t(layer.zeroPointA);
  d.clampAMin = layer.clampAMin, d.clampAMax = layer.clampAMax;
  d.clampBMin = layer.clampBMin, d.clampBMax = layer.clampBMax;
  if (layer.eltwise)
    setEltwise(d, tile, *layer.eltwise);
  if (layer.table)
    d.lut = LutMode::TABLE8, d.lutAddress = tile.table;
  return d;
}

/// Tiles hold their own channels only, so each begins at channel 0 of its views.
MacRun runOf(const TileRun &tile) {
  const Dims size = sizeOf(tile.out);
  const uint32_t table = (size[kChannels] + 15) / 16 * 16 * ChannelEntry::kBytes;
  MacRun run;
  run.outH = uint16_t(size[kRows]), run.outW = uint16_t(size[kColumns]);
  run.outC = uint16_t(size[kChannels]);
  setWindow(run, tile);
  run.inputAddress = tile.reads[0].address, run.inputRow = uint16_t(tile.reads[0].firstRow);
  run.outputAddress = tile.output.address, run.outputRow = uint16_t(tile.output.firstRow);
  if (tile.reads.size() > 1)
    run.operandAddress = tile.reads[1].address, run.operandRow = uint16_t(tile.reads[1].firstRow);
  run.tableAddress = tile.constants;
  run.weightAddress = tile.constants + table;
  run.weightLength = uint32_t(constantBytesOf(tile.plan.shape, size[kChannels]) - table);
  return run;
}

class VecDescriber {
public:
  VecDescriber(StreamBuilder &stream, const TileRun &tile) : stream(stream), tile(tile) {
    d.a = viewOfRead(tile, 0);
    d.output = viewOfOutput(tile);
  }

  VecDescriptor operator()(const PoolLayer &layer) {
    d.vecKind = VecKind::POOL;
    d.operation = layer.operation;
    d.kernelH = layer.kernelH, d.kernelW = layer.kernelW;
    d.strideH = layer.strideH, d.strideW = layer.strideW;
    d.rounding = layer.rounding;
    d.inputOffset = layer.inputOffset;
    d.clampMin = layer.clampMin, d.clampMax = layer.clampMax;
    return d;
  }

  VecDescriptor operator()(const ReduceLayer &layer) {
    d.vecKind = VecKind::REDUCE;
    d.operation = layer.operation;
    d.axis = layer.axes;
    d.inputOffset = layer.inputOffset;
    return d;
  }

  VecDescriptor operator()(const ElementwiseLayer &layer) {
    d.vecKind = VecKind::ELEMENTWISE;
    d.microOps = uint8_t(layer.program.size());
    d.program = stream.addProgram(layer.program);
    if (layer.b)
      d.b = viewOfRead(tile, 1);
    d.lutAddress = tile.table;
    return d;
  }

  VecDescriptor operator()(const MacLayer &) { return d; }
  VecDescriptor operator()(const CopyLayer &) { return d; }

private:
  StreamBuilder &stream;
  const TileRun &tile;
  VecDescriptor d;
};

VecRun vecRunOf(StreamBuilder &stream, const TileRun &tile) {
  const Dims size = sizeOf(tile.out);
  VecRun run;
  run.descriptor = stream.addDescriptor(std::visit(VecDescriber(stream, tile), tile.layer.work));
  run.h = uint16_t(size[kRows]), run.w = uint16_t(size[kColumns]);
  run.c = uint16_t(size[kChannels]);
  run.aAddress = tile.reads[0].address, run.aRow = uint16_t(tile.reads[0].firstRow);
  if (tile.reads.size() > 1)
    run.bAddress = tile.reads[1].address, run.bRow = uint16_t(tile.reads[1].firstRow);
  run.outAddress = tile.output.address, run.outRow = uint16_t(tile.output.firstRow);
  if (const auto *program = std::get_if<ElementwiseLayer>(&tile.layer.work)) {
    run.immediate0 = program->immediate0, run.immediate1 = program->immediate1;
    return run;
  }
  setWindow(run, tile);
  run.inChannels = uint16_t(tile.plan.shape.reads[0].boxOf(tile.out)[kChannels].size);
  return run;
}

} // namespace

EngineCommand makeRun(StreamBuilder &stream, const TileRun &tile) {
  const auto *mac = std::get_if<MacLayer>(&tile.layer.work);
  if (!mac)
    return {Opcode::VEC_RUN, Engine::VEC, vecRunOf(stream, tile)};
  MacRun run = runOf(tile);
  run.descriptor = stream.addDescriptor(descriptorOf(tile, *mac));
  return {Opcode::MAC_RUN, Engine::MAC, run};
}

} // namespace tenon::mortise
