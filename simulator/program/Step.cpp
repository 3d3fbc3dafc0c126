// SPDX-License-Identifier: Apache-2.0
// Decoded commands become steps.
#include "simulator/program/Step.h"

namespace tenon::simulator {
namespace {

using namespace mortise;

Decoded<Step> macStep(const StreamView &stream, const Header &header, const MacRun &run) {
  auto descriptor = stream.macDescriptor(run.descriptor);
  if (!descriptor)
    return tl::unexpected(descriptor.error());
  return Step{header, MacStep{run, *descriptor}};
}

Decoded<Step> vecStep(const StreamView &stream, const Header &header, const VecRun &run) {
  auto descriptor = stream.vecDescriptor(run.descriptor);
  if (!descriptor)
    return tl::unexpected(descriptor.error());
  auto program = stream.program(*descriptor);
  if (!program)
    return tl::unexpected(program.error());
  VecStep step{run, *descriptor, std::move(*program)};
  if (step.descriptor.vecKind == VecKind::ELEMENTWISE) {
    step.readsA = readsSource(step.program, Source::A);
    step.readsB = readsSource(step.program, Source::B);
  }
  return Step{header, std::move(step)};
}

double elementsOf(const Dma &dma) {
  const double padding = double(dma.padBefore) + dma.padAfter;
  const double item = 1.0 + dma.n0 + padding * dma.elementSize;
  return dma.n2 * (dma.n1 * item + padding * (1.0 + dma.n0));
}

double elementsOf(const VecStep &step) {
  const VecRun &run = step.run;
  const VecDescriptor &d = step.descriptor;
  if (d.vecKind != VecKind::REDUCE)
    return double(run.h) * run.w * run.c * d.kernelH * d.kernelW;
  return double(d.axis & Axis::H ? run.inRows : run.h) * (d.axis & Axis::W ? run.inCols : run.w) *
         (d.axis & Axis::C ? run.inChannels : run.c);
}

} // namespace

double elementsOf(const Step &step) {
  if (const auto *dma = std::get_if<DmaStep>(&step.work))
    return elementsOf(dma->dma);
  if (const auto *vec = std::get_if<VecStep>(&step.work))
    return elementsOf(*vec);
  return 0;
}

Decoded<Step> makeStep(const StreamView &stream, const Command &command) {
  const Header &header = command.header;
  if (const auto *dma = std::get_if<Dma>(&command.payload))
    return Step{header, DmaStep{header.op == Opcode::DMA_FILL, *dma}};
  if (const auto *mac = std::get_if<MacRun>(&command.payload))
    return macStep(stream, header, *mac);
  if (const auto *vec = std::get_if<VecRun>(&command.payload))
    return vecStep(stream, header, *vec);
  if (const auto *signal = std::get_if<Signal>(&command.payload))
    return Step{header, *signal};
  if (header.op == Opcode::DMA_GATHER)
    return tl::unexpected(
        DecodeError{FaultCode::UNSUPPORTED, 0, "DMA_GATHER is not in this version"});
  return Step{header, std::monostate()};
}

} // namespace tenon::simulator
