// SPDX-License-Identifier: Apache-2.0
// Checks that need one command only.
#include "simulator/program/Check.h"

#include <algorithm>

namespace tenon::simulator {
namespace {

using namespace mortise;

/// Offsets from here on could wrap when strides are added.
constexpr uint64_t kFarOffset = uint64_t(1) << 62;
/// Most elements of a convolution's padded input, in blocks of 16 channels, that are held at once.
constexpr uint64_t kMaxPaddedElements = uint64_t(1) << 26;

template <typename... Args>
std::optional<Finding> refuse(FaultCode code, uint64_t address, fmt::format_string<Args...> format,
                              Args &&...args) {
  return Finding{code, address, fmt::format(format, std::forward<Args>(args)...)};
}

/// \p value of what lies at \p address must be a multiple.
std::optional<Finding> checkMultiple(const char *what, uint64_t value, uint64_t alignment,
                                     uint64_t address) {
  if (value % alignment == 0)
    return std::nullopt;
  return refuse(FaultCode::ALIGN, address, "{} {} is no multiple of {}", what, value, alignment);
}

std::optional<Finding> checkAligned(const char *what, uint64_t address, uint64_t alignment) {
  return checkMultiple(what, address, alignment, address);
}

/// \p mayBroadcast: only operands of VEC repeat elements; the others' banks move whole runs.
std::optional<Finding> checkView(const char *what, const View &view, uint64_t address,
                                 bool mayBroadcast = false) {
  if (view.dtype == DType::F32)
    return refuse(FaultCode::UNSUPPORTED, address, "{} of type F32", what);
  if (view.dtype == DType::I32 && view.zeroPoint)
    return refuse(FaultCode::BAD_DESC, address, "{}: an I32 view has zero point {}", what,
                  view.zeroPoint);
  if (view.broadcast && !mayBroadcast)
    return refuse(FaultCode::BAD_DESC, address, "{}: broadcast of another view than a VEC operand",
                  what);
  const uint64_t unit = view.layout == Layout::B16 ? 16 : bytesOf(view.dtype);
  for (uint64_t value : {address, uint64_t(view.rowStride), uint64_t(view.blockStride)})
    if (auto finding = checkMultiple(what, value, unit, address))
      return finding;
  return std::nullopt;
}

uint32_t reachOf(uint32_t outputs, uint32_t stride, uint32_t kernel, uint32_t dilation) {
  return (outputs - 1) * stride + (kernel - 1) * dilation + 1;
}

std::optional<Finding> checkWindow(const MacRun &run, const MacDescriptor &d) {
  const bool plain = d.mode == MacMode::MATMUL;
  if (plain && (d.kernelH != 1 || d.kernelW != 1 || d.strideH != 1 || d.strideW != 1 ||
                run.padTop || run.padLeft || run.padBottom || run.padRight))
    return refuse(FaultCode::BAD_DESC, 0, "MATMUL with a window, stride or padding");
  const uint32_t rows = reachOf(run.outH, d.strideH, d.kernelH, d.dilationH);
  const uint32_t columns = reachOf(run.outW, d.strideW, d.kernelW, d.dilationW);
  const uint32_t padded = uint32_t(run.padTop) + run.inRows + run.padBottom;
  const uint32_t wide = uint32_t(run.padLeft) + run.inCols + run.padRight;
  const uint64_t depth = d.mode == MacMode::DEPTHWISE ? 16 : (d.inputChannels + 15u) / 16 * 16;
  if (uint64_t(padded) * wide * depth > kMaxPaddedElements)
    return refuse(FaultCode::UNSUPPORTED, run.inputAddress,
                  "the padded input has more than {} elements", kMaxPaddedElements);
  if (rows <= padded && columns <= wide)
    return std::nullopt;
  return refuse(FaultCode::BAD_DESC, 0,
                "windows reach {} rows and {} columns, the padded input has {} and {}", rows,
                columns, padded, wide);
}

uint64_t brickBytesOf(const MacDescriptor &d) {
  const uint64_t taps = uint64_t(d.kernelH) * d.kernelW;
  if (d.mode == MacMode::DEPTHWISE)
    return taps * 16;
  if (d.fold)
    return d.kernelH * ((uint64_t(d.kernelW) * d.inputChannels + 15) / 16) * 256;
  return taps * ((d.inputChannels + 15u) / 16) * 256;
}

std::optional<Finding> checkWeights(const MacRun &run, const MacDescriptor &d) {
  if (d.weightType != WeightType::I8 || d.codec != Codec::RAW || d.accumulator != Accumulator::I32)
    return refuse(FaultCode::UNSUPPORTED, run.weightAddress,
                  "int4 weights, packed weights or 48-bit accumulators");
  if (auto finding = checkAligned("weight address", run.weightAddress, 16))
    return finding;
  if (auto finding = checkAligned("channel table", run.tableAddress, 16))
    return finding;
  const uint64_t bytes = (run.outC + 15u) / 16 * brickBytesOf(d);
  if (run.weightLength != bytes)
    return refuse(FaultCode::CODEC, run.weightAddress, "{} bytes of weights, not {}",
                  run.weightLength, bytes);
  return std::nullopt;
}

std::optional<Finding> checkModes(const MacRun &run, const MacDescriptor &d) {
  if (d.input.dtype != DType::I8 && d.input.dtype != DType::U8)
    return refuse(FaultCode::UNSUPPORTED, run.inputAddress,
                  "convolution of another type than "
                  "8-bit integers");
  if (d.input.zeroPoint < -128 || d.input.zeroPoint > 255)
    return refuse(FaultCode::UNSUPPORTED, run.inputAddress,
                  "an input zero point of {}, which is no 8-bit value", d.input.zeroPoint);
  if (d.fold && (d.mode != MacMode::CONV || d.input.layout != Layout::LINEAR ||
                 d.input.blockStride != d.inputChannels || d.dilationW != 1))
    return refuse(FaultCode::BAD_DESC, 0, "fold of another view than a dense LINEAR one");
  const uint32_t last = (run.firstChannel + run.outC - 1u) / d.channelMultiplier;
  if (d.mode == MacMode::DEPTHWISE && last >= d.inputChannels)
    return refuse(FaultCode::BAD_DESC, 0, "output needs input channel {}, there are {}", last,
                  d.inputChannels);
  if (d.lut != LutMode::NONE && bytesOf(d.output.dtype) != 1)
    return refuse(FaultCode::BAD_DESC, d.lutAddress, "a table makes 8-bit results only");
  return checkMultiple("first channel", run.firstChannel, 16, run.outputAddress);
}

std::optional<Finding> checkMac(const MacStep &step) {
  const auto &[run, d] = step;
  if (auto finding = checkView("input", d.input, run.inputAddress))
    return finding;
  if (auto finding = checkView("output", d.output, run.outputAddress))
    return finding;
  if (d.eltwise != Eltwise::NONE)
    if (auto finding = checkView("operand", d.operand, run.operandAddress))
      return finding;
  if (d.lut != LutMode::NONE)
    if (auto finding = checkAligned("table", d.lutAddress, 16))
      return finding;
  if (auto finding = checkModes(run, d))
    return finding;
  if (auto finding = checkWindow(run, d))
    return finding;
  return checkWeights(run, d);
}

// Micro-programs

bool usesThird(const MicroOp &op) {
  return op.op == MicroOpcode::SEL ||
         (op.op == MicroOpcode::RESCALE && op.option & MicroOption::OPERANDS);
}

uint32_t largestOption(MicroOpcode op) {
  switch (op) {
  case MicroOpcode::RESCALE:
    return MicroOption::DOUBLE | MicroOption::OPERANDS;
  case MicroOpcode::ASHR:
    return MicroOption::ROUND;
  case MicroOpcode::LUT8:
    return 2;
  default:
    return 0;
  }
}

bool isLegal(const MicroOp &op) {
  constexpr uint8_t kLast = uint8_t(Source::IMM);
  const bool literalShift = op.op == MicroOpcode::RESCALE && !usesThird(op);
  return op.srcA <= kLast && (literalShift || op.srcB <= kLast) &&
         (!usesThird(op) || uint8_t(op.immediate) <= kLast) && op.option <= largestOption(op.op) &&
         (op.op != MicroOpcode::CAST || uint32_t(op.immediate) < uint32_t(DType::F32));
}

std::optional<Finding> checkProgram(const VecStep &step) {
  if (step.program.empty())
    return refuse(FaultCode::UPROG, 0, "an element-wise command without a program");
  bool tables = false;
  for (size_t i = 0; i < step.program.size(); ++i) {
    if (!isLegal(step.program[i]))
      return refuse(FaultCode::UPROG, i,
                    "micro-op {} has a source, option or immediate there is "
                    "none of",
                    i);
    tables |= step.program[i].op == MicroOpcode::LUT8 || step.program[i].op == MicroOpcode::LUT16;
  }
  return tables ? checkAligned("table", step.descriptor.lutAddress, 16) : std::nullopt;
}

std::optional<Finding> checkPool(const VecDescriptor &d) {
  if (d.operation == VecOperation::MAX || d.operation == VecOperation::AVERAGE)
    return std::nullopt;
  return refuse(FaultCode::BAD_DESC, 0, "POOL of operation {}", uint32_t(d.operation));
}

std::optional<Finding> checkReduce(const VecRun &run, const VecDescriptor &d) {
  if (d.operation != VecOperation::SUM && d.operation != VecOperation::MAX &&
      d.operation != VecOperation::MIN)
    return refuse(FaultCode::BAD_DESC, 0, "REDUCE of operation {}", uint32_t(d.operation));
  if ((d.axis & Axis::H && run.h != 1) || (d.axis & Axis::W && run.w != 1) ||
      (d.axis & Axis::C && run.c != 1))
    return refuse(FaultCode::BAD_DESC, 0, "a reduced dimension's output extent is not 1");
  if ((d.axis & Axis::H && !run.inRows) || (d.axis & Axis::W && !run.inCols) ||
      (d.axis & Axis::C && !run.inChannels))
    return refuse(FaultCode::BAD_DESC, 0, "a reduced dimension has no elements");
  return std::nullopt;
}

std::optional<Finding> checkKind(const VecStep &step) {
  switch (step.descriptor.vecKind) {
  case VecKind::ELEMENTWISE:
    return checkProgram(step);
  case VecKind::POOL:
    return checkPool(step.descriptor);
  case VecKind::REDUCE:
    return checkReduce(step.run, step.descriptor);
  default:
    return refuse(FaultCode::UNSUPPORTED, 0, "this VEC kind is not in this version");
  }
}

std::optional<Finding> checkVec(const VecStep &step) {
  const VecDescriptor &d = step.descriptor;
  if (auto finding = checkKind(step))
    return finding;
  if (step.readsA)
    if (auto finding = checkView("operand a", d.a, step.run.aAddress, true))
      return finding;
  if (step.readsB)
    if (auto finding = checkView("operand b", d.b, step.run.bAddress, true))
      return finding;
  return checkView("output", d.output, step.run.outAddress);
}

// DMA

std::optional<Finding> checkDma(const DmaStep &step) {
  const Dma &dma = step.dma;
  const bool linear = dma.mode == DmaMode::LOAD_LINEAR || dma.mode == DmaMode::STORE_LINEAR;
  if (dma.elementSize == 3)
    return refuse(FaultCode::BAD_OPCODE, 0, "elements of 3 bytes");
  if (step.fill && !linear)
    return refuse(FaultCode::BAD_OPCODE, 0, "a fill in a B16 mode");
  if ((isStore(dma.mode) || step.fill) && (dma.padBefore || dma.padAfter))
    return refuse(FaultCode::BAD_OPCODE, 0, "padding of what is no load");
  if (dma.n0 % dma.elementSize)
    return refuse(FaultCode::ALIGN, dma.sramAddress,
                  "items of {} bytes hold no whole elements of {}", dma.n0, dma.elementSize);
  if (auto finding = checkAligned("SRAM address", dma.sramAddress, dma.elementSize))
    return finding;
  for (uint32_t stride : {dma.sramStride1, dma.sramStride2})
    if (auto finding =
            checkMultiple("SRAM stride", stride, linear ? dma.elementSize : 16, dma.sramAddress))
      return finding;
  return std::nullopt;
}

} // namespace

std::optional<Finding> checkRules(const Step &step) {
  if (const auto *dma = std::get_if<DmaStep>(&step.work))
    return checkDma(*dma);
  if (const auto *mac = std::get_if<MacStep>(&step.work))
    return checkMac(*mac);
  if (const auto *vec = std::get_if<VecStep>(&step.work))
    return checkVec(*vec);
  if (const auto *signal = std::get_if<Signal>(&step.work))
    return checkAligned("signal", signal->offset, sizeof(signal->value));
  return std::nullopt;
}

std::optional<Finding> checkBounds(std::span<const Touch> touches, const Limits &limits) {
  for (const Touch &touch : touches) {
    const SpaceLimits &limit = limits[touch.space];
    const bool sram = touch.space == kSramSpace;
    if (!(touch.write ? limit.writable : limit.readable))
      return refuse(FaultCode::REGION_PERM, touch.begin, "region {} may not be {}", touch.space,
                    touch.write ? "written" : "read");
    if (touch.begin >= kFarOffset || touch.end() > limit.sizeBytes)
      return refuse(sram ? FaultCode::SRAM_RANGE : FaultCode::REGION_RANGE, touch.begin,
                    "bytes {} to {} of {} lie past its end at {}", touch.begin,
                    touch.begin >= kFarOffset ? touch.begin : touch.end(),
                    sram ? "SRAM" : fmt::format("region {}", touch.space), limit.sizeBytes);
  }
  return std::nullopt;
}

} // namespace tenon::simulator
