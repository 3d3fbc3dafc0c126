// SPDX-License-Identifier: Apache-2.0
// The bytes of DMA transfers and of the engines' views.
#include "simulator/program/Touch.h"

#include <algorithm>

namespace tenon::simulator {
namespace {

using namespace mortise;

/// Merges runs that adjoin or coincide, so that equal bytes have one description.
void tidy(Touch &touch) {
  for (size_t i = 0; i < touch.count.size(); ++i)
    if (touch.count[i] <= 1 || touch.stride[i] == 0)
      touch.count[i] = 1, touch.stride[i] = 0;
  bool merged = true;
  while (std::exchange(merged, false))
    for (size_t i = 0; i < touch.count.size(); ++i)
      if (touch.count[i] > 1 && touch.stride[i] <= touch.run) {
        touch.run += (touch.count[i] - 1) * touch.stride[i];
        touch.count[i] = 1, touch.stride[i] = 0;
        merged = true;
      }
}

class Collector {
public:
  void add(Touch touch) {
    if (!touch.run || std::ranges::count(touch.count, 0u))
      return;
    tidy(touch);
    (touch.inPlace ? late : touches).push_back(touch);
  }

  /// Rows [first, first + rows) of a grid whose lines are \p lineStride apart.
  void addLines(Touch touch, uint64_t first, uint64_t rows, uint64_t ring, uint64_t lineStride) {
    const uint64_t base = touch.begin;
    for (const LineStretch &lines : linesOf(first, rows, ring)) {
      touch.begin = base + lines.line * lineStride;
      touch.count[2] = lines.count, touch.stride[2] = lineStride;
      add(touch);
    }
  }

  std::vector<Touch> finish() {
    touches.insert(touches.end(), late.begin(), late.end());
    return std::move(touches);
  }

private:
  std::vector<Touch> touches, late;
};

// DMA

Touch dramSide(const Dma &dma, bool write) {
  Touch touch{dma.region, write, false, dma.dramOffset, dma.n0};
  touch.count = {1, dma.n1, dma.n2}, touch.stride = {0, dma.dramStride1, dma.dramStride2};
  return touch;
}

void linearSide(Collector &out, const Dma &dma, bool write) {
  const uint64_t padding = uint64_t(dma.padBefore + dma.padAfter) * dma.elementSize;
  Touch touch{kSramSpace, write, false, dma.sramAddress, dma.n0 + padding};
  touch.count[1] = dma.n1, touch.stride[1] = dma.sramStride1;
  out.addLines(touch, dma.firstRow, dma.n2, dma.ringRows, dma.sramStride2);
}

/// Lanes [begin, end) of one block, of all columns.
Touch lanesOf(const Dma &dma, bool write, uint64_t block, uint64_t begin, uint64_t end) {
  const uint64_t pixel = 16 * dma.elementSize;
  Touch touch{kSramSpace, write, false,
              dma.sramAddress / pixel * pixel + block * dma.sramStride1 + begin * dma.elementSize,
              (end - begin) * dma.elementSize};
  touch.count[1] = uint64_t(dma.padBefore) + dma.n1 + dma.padAfter;
  touch.stride[1] = pixel;
  return touch;
}

/// B16: the first block begins at lane0; a load fills the last one's lanes, a store leaves them.
void blockedSide(Collector &out, const Dma &dma, bool write) {
  const uint64_t lane0 = dma.sramAddress % (16 * dma.elementSize) / dma.elementSize;
  const uint64_t end = lane0 + dma.n0 / dma.elementSize;
  const uint64_t last = write ? (end + 15) / 16 * 16 : end;
  for (uint64_t block = 0; block * 16 < last; ++block) {
    const uint64_t begin = block ? 0 : lane0;
    Touch touch = lanesOf(dma, write, block, begin, std::min<uint64_t>(last - block * 16, 16));
    const bool whole = begin == 0 && last - block * 16 >= 16;
    if (const uint64_t blocks = (last - block * 16) / 16; whole && blocks > 1) {
      touch.run *= touch.count[1], touch.count[1] = blocks, touch.stride[1] = dma.sramStride1;
      block += blocks - 1;
    }
    out.addLines(touch, dma.firstRow, dma.n2, dma.ringRows, dma.sramStride2);
  }
}

void addDma(Collector &out, const DmaStep &step) {
  const Dma &dma = step.dma;
  const bool store = isStore(dma.mode);
  const bool linear = dma.mode == DmaMode::LOAD_LINEAR || dma.mode == DmaMode::STORE_LINEAR;
  if (store || !step.fill)
    out.add(dramSide(dma, store));
  if (!store || !step.fill)
    linear ? linearSide(out, dma, !store) : blockedSide(out, dma, !store);
}

// Views

struct ViewPart {
  const View &view;
  uint64_t address, row;
  uint64_t rows, columns, channel, channels;
};

/// A pixel's channels as whole blocks (that is what the banks move) or as they are.
void addView(Collector &out, ViewPart part, bool write, bool inPlace = false) {
  const View &view = part.view;
  const uint64_t size = bytesOf(view.dtype);
  if (view.broadcast & Axis::H)
    part.rows = std::min<uint64_t>(part.rows, 1);
  if (view.broadcast & Axis::W)
    part.columns = std::min<uint64_t>(part.columns, 1);
  if (view.broadcast & Axis::C)
    part.channels = std::min<uint64_t>(part.channels, 1);
  Touch touch{kSramSpace, write, inPlace, part.address};
  if (view.layout == Layout::B16) {
    const uint64_t first = part.channel / 16;
    touch.begin += first * view.blockStride;
    touch.run = part.channels ? part.columns * 16 * size : 0;
    touch.count[1] = part.channels ? (part.channel + part.channels - 1) / 16 - first + 1 : 0;
  } else {
    touch.begin += part.channel * size;
    touch.run = part.channels * size;
    touch.count[1] = part.columns;
  }
  touch.stride[1] = view.blockStride;
  out.addLines(touch, part.row, part.rows, view.ringRows, view.rowStride);
}

bool sameAddressing(const View &a, const View &b) {
  return a.layout == b.layout && bytesOf(a.dtype) == bytesOf(b.dtype) && a.ringRows == b.ringRows &&
         a.rowStride == b.rowStride && a.blockStride == b.blockStride && !a.broadcast &&
         !b.broadcast;
}

void addBytes(Collector &out, uint64_t address, uint64_t bytes) {
  out.add(Touch{kSramSpace, false, false, address, bytes});
}

void addMac(Collector &out, const MacStep &step) {
  const MacRun &run = step.run;
  const MacDescriptor &d = step.descriptor;
  uint64_t channel = 0, channels = d.inputChannels;
  if (d.mode == MacMode::DEPTHWISE) {
    channel = run.firstChannel / d.channelMultiplier;
    channels = (run.firstChannel + run.outC - 1) / d.channelMultiplier - channel + 1;
  }
  addView(out, {d.input, run.inputAddress, run.inputRow, run.inRows, run.inCols, channel, channels},
          false);
  addBytes(out, run.weightAddress, run.weightLength);
  addBytes(out, run.tableAddress, uint64_t(run.outC) * ChannelEntry::kBytes);
  if (d.lut == LutMode::TABLE8)
    addBytes(out, d.lutAddress, 256);
  if (d.eltwise != Eltwise::NONE)
    addView(out,
            {d.operand, run.operandAddress, run.operandRow, run.outH, run.outW, run.firstChannel,
             run.outC},
            false,
            run.operandAddress == run.outputAddress && run.operandRow == run.outputRow &&
                sameAddressing(d.operand, d.output));
  addView(
      out,
      {d.output, run.outputAddress, run.outputRow, run.outH, run.outW, run.firstChannel, run.outC},
      true);
}

void addTables(Collector &out, const VecStep &step) {
  for (const MicroOp &op : step.program)
    if (op.op == MicroOpcode::LUT8 || op.op == MicroOpcode::LUT16)
      // A negative offset may lead below 0, which is far past any SRAM as an unsigned number.
      addBytes(out, uint64_t(int64_t(step.descriptor.lutAddress) + op.immediate),
               op.op == MicroOpcode::LUT8 ? uint64_t(256) << op.option : 513 * 2);
}

void addVec(Collector &out, const VecStep &step) {
  const VecRun &run = step.run;
  const VecDescriptor &d = step.descriptor;
  uint64_t rows = run.h, columns = run.w, channels = run.c;
  if (d.vecKind == VecKind::POOL)
    rows = run.inRows, columns = run.inCols;
  if (d.vecKind == VecKind::REDUCE) {
    rows = d.axis & Axis::H ? run.inRows : run.h;
    columns = d.axis & Axis::W ? run.inCols : run.w;
    channels = d.axis & Axis::C ? run.inChannels : run.c;
  }
  const bool elementwise = d.vecKind == VecKind::ELEMENTWISE;
  if (step.readsA)
    addView(out, {d.a, run.aAddress, run.aRow, rows, columns, 0, channels}, false,
            elementwise && run.aAddress == run.outAddress && run.aRow == run.outRow &&
                sameAddressing(d.a, d.output));
  if (step.readsB)
    addView(out, {d.b, run.bAddress, run.bRow, rows, columns, 0, channels}, false,
            elementwise && run.bAddress == run.outAddress && run.bRow == run.outRow &&
                sameAddressing(d.b, d.output));
  addTables(out, step);
  addView(out, {d.output, run.outAddress, run.outRow, run.h, run.w, 0, run.c}, true);
}

} // namespace

uint64_t Touch::end() const {
  uint64_t last = begin;
  for (size_t i = 0; i < count.size(); ++i)
    last += (count[i] - 1) * stride[i];
  return last + run;
}

std::array<LineStretch, 2> linesOf(uint64_t first, uint64_t rows, uint64_t ringRows) {
  if (!ringRows)
    return {LineStretch{first, rows}, LineStretch{}};
  if (rows >= ringRows)
    return {LineStretch{0, ringRows}, LineStretch{}};
  const uint64_t line = first % ringRows, before = std::min(rows, ringRows - line);
  return {LineStretch{line, before}, LineStretch{0, rows - before}};
}

std::vector<Touch> touchesOf(const Step &step) {
  Collector out;
  if (const auto *dma = std::get_if<DmaStep>(&step.work))
    addDma(out, *dma);
  else if (const auto *mac = std::get_if<MacStep>(&step.work))
    addMac(out, *mac);
  else if (const auto *vec = std::get_if<VecStep>(&step.work))
    addVec(out, *vec);
  else if (const auto *signal = std::get_if<Signal>(&step.work))
    out.add(Touch{signal->region, true, false, signal->offset, sizeof(signal->value)});
  return out.finish();
}

} // namespace tenon::simulator
