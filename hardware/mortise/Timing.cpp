// SPDX-License-Identifier: Apache-2.0
// A command stream in the event engine's terms.
#include "hardware/mortise/Timing.h"

#include <algorithm>
#include <map>

#include "hardware/mortise/Dispatch.h"
#include "support/Checked.h"

namespace tenon::mortise {
namespace {

using timing::TimedCommand;
using timing::Work;

/// What one DMA channel moves without DRAM (fills of SRAM), bytes a cycle.
constexpr uint64_t kDmaPortBytes = 64;
constexpr uint32_t kDescriptorEntries = 32;
constexpr uint32_t kDispatchCycles = 8;
constexpr uint32_t kQueueDepth = 16;

MacShape shapeOf(const MacRun &run, const MacDescriptor &d) {
  const bool operand = d.eltwise != Eltwise::NONE;
  return {d.mode,
          d.fold != 0,
          run.outH,
          run.outW,
          run.outC,
          d.kernelH,
          d.kernelW,
          d.strideW,
          d.dilationW,
          d.inputChannels,
          bytesOf(d.output.dtype),
          operand ? bytesOf(d.operand.dtype) : 0};
}

VecShape shapeOf(const VecRun &run, const VecDescriptor &d, bool readsB) {
  const uint64_t written = uint64_t(run.h) * run.w * run.c;
  const uint64_t source = uint64_t(run.inRows) * run.inCols * std::max<uint64_t>(run.inChannels, 1);
  VecShape shape;
  shape.elements = d.vecKind == VecKind::REDUCE ? std::max(source, written) : written;
  shape.elementBytes = std::max(bytesOf(d.a.dtype), bytesOf(d.output.dtype));
  if (readsB)
    shape.elementBytes = std::max(shape.elementBytes, bytesOf(d.b.dtype));
  shape.microOps = std::max<uint32_t>(d.microOps, 1);
  shape.taps = d.vecKind == VecKind::POOL ? uint32_t(d.kernelH) * d.kernelW : 1;
  shape.sramBytes = shape.elements * shape.taps * bytesOf(d.a.dtype) +
                    written * bytesOf(d.output.dtype) + (readsB ? written * bytesOf(d.b.dtype) : 0);
  return shape;
}

Work workOfDma(const Config &config, Opcode op, const Dma &dma) {
  const uint64_t bytes = uint64_t(dma.n0) * dma.n1 * dma.n2;
  if (op == Opcode::DMA_FILL && !isStore(dma.mode)) {
    Work work;
    work.cycles = ceilDiv(bytes, kDmaPortBytes);
    work.sramBytes = bytes;
    return work;
  }
  return workOf(config, DmaShape{dma.dramOffset, dma.n0, dma.n1, dma.n2, dma.dramStride1,
                                 dma.dramStride2, isStore(dma.mode)});
}

/// Reads one command after the other, with the command processor's checks.
class Reader {
public:
  Reader(const StreamView &stream, const Config &config) : stream(stream), config(config) {}

  Decoded<TimedStream> read() {
    for (uint32_t index = 0;; ++index) {
      auto command = stream.command(index);
      if (!command)
        return tl::unexpected(command.error());
      auto timed = timedOf(*command);
      if (!timed)
        return tl::unexpected(timed.error());
      out.commands.push_back(*timed);
      tags.push_back(command->header.layerTag);
      if (command->header.op == Opcode::END)
        return finish();
    }
  }

private:
  const StreamView &stream;
  const Config &config;
  TimedStream out;
  std::vector<uint16_t> tags;
  Dispatch dispatch;

  Decoded<TimedCommand> timedOf(const Command &command) {
    TimedCommand timed;
    auto waits = dispatch.next(command.header);
    if (!waits)
      return tl::unexpected(waits.error());
    std::copy(waits->begin(), waits->end(), timed.waits.begin());
    const Opcode op = command.header.op;
    timed.barrier = op == Opcode::BARRIER || op == Opcode::END;
    if (command.header.engine == Engine::CP)
      return timed;
    timed.engine = uint8_t(command.header.engine);
    if (auto filled = fill(timed, command); !filled)
      return tl::unexpected(filled.error());
    return timed;
  }

  Decoded<bool> fill(TimedCommand &timed, const Command &command) {
    if (const auto *dma = std::get_if<Dma>(&command.payload))
      timed.work = workOfDma(config, command.header.op, *dma);
    else if (const auto *gather = std::get_if<Gather>(&command.payload))
      // Rows lie anywhere: each is a run of its own, as badly aligned as can be.
      timed.work = workOf(config, DmaShape{63, gather->n0, gather->n1, 1,
                                           alignUp<uint64_t>(gather->n0 + 64, 64), 0, false});
    else if (const auto *run = std::get_if<MacRun>(&command.payload))
      return fillMac(timed, *run);
    else if (const auto *vec = std::get_if<VecRun>(&command.payload))
      return fillVec(timed, *vec);
    return true;
  }

  Decoded<bool> fillMac(TimedCommand &timed, const MacRun &run) {
    auto descriptor = stream.macDescriptor(run.descriptor);
    if (!descriptor)
      return tl::unexpected(descriptor.error());
    timed.descriptor = run.descriptor;
    timed.work = workOf(config, shapeOf(run, *descriptor));
    return true;
  }

  Decoded<bool> fillVec(TimedCommand &timed, const VecRun &run) {
    auto descriptor = stream.vecDescriptor(run.descriptor);
    if (!descriptor)
      return tl::unexpected(descriptor.error());
    auto program = stream.program(*descriptor);
    if (!program)
      return tl::unexpected(program.error());
    timed.descriptor = run.descriptor;
    timed.work = workOf(config, shapeOf(run, *descriptor, readsSource(*program, Source::B)));
    return true;
  }

  /// Numbers the layer tags.
  TimedStream finish() {
    out.layerTags = tags;
    std::sort(out.layerTags.begin(), out.layerTags.end());
    out.layerTags.erase(std::unique(out.layerTags.begin(), out.layerTags.end()),
                        out.layerTags.end());
    for (size_t i = 0; i < tags.size(); ++i)
      out.commands[i].layer =
          uint32_t(std::lower_bound(out.layerTags.begin(), out.layerTags.end(), tags[i]) -
                   out.layerTags.begin());
    return std::move(out);
  }
};

} // namespace

timing::Machine machineOf(const Config &config) {
  return {kEngineCount,
          kQueueDepth,
          kDispatchCycles,
          kDescriptorEntries,
          config.dramLatencyCycles,
          config.dramBytesPerCycle(),
          16.0 * config.sramBanks * 0.75};
}

Decoded<TimedStream> timedStream(const StreamView &stream, const Config &config) {
  return Reader(stream, config).read();
}

} // namespace tenon::mortise
