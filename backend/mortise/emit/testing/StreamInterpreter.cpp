// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/emit/testing/StreamInterpreter.h"

#include "backend/mortise/emit/testing/Arithmetic.h"

namespace tenon::mortise::testing {
namespace {

class Interpreter {
public:
  Interpreter(const StreamView &stream, const Config &config, Job &job) : stream(stream), job(job) {
    sram = {"SRAM", Bytes(config.sramBytes, job.unwritten), true, FaultCode::SRAM_RANGE};
    regions[1] = {"constants", job.constants, false, FaultCode::REGION_RANGE};
    regions[2] = {"scratch", Bytes(job.scratchBytes, job.unwritten), true, FaultCode::REGION_RANGE};
    regions[3] = {"inputs", job.inputs, false, FaultCode::REGION_RANGE};
    regions[4] = {"outputs", job.outputs, true, FaultCode::REGION_RANGE};
  }

  Fault run() {
    for (uint32_t index = 0;; ++index) {
      auto command = stream.command(index);
      Fault fault = command ? step(*command) : Fault{command.error().code, command.error().message};
      if (fault.code != FaultCode::NONE) {
        fault.message = fmt::format("command {}: {}: {}", index, nameOf(fault.code), fault.message);
        return fault;
      }
      if (command->header.op == Opcode::END)
        break;
    }
    job.outputs = regions[4].data, job.scratch = regions[2].data;
    job.overlapping = sram.overlapping || regions[2].overlapping || regions[4].overlapping;
    return {};
  }

private:
  const StreamView &stream;
  Job &job;
  ShadowMemory sram;
  std::array<ShadowMemory, 8> regions;
  std::array<std::vector<Clock>, kEngineCount> clocks;
  Fault bad;

  void refuse(FaultCode code, const std::string &message) {
    if (bad.code == FaultCode::NONE)
      bad = {code, message};
  }

  Fault step(const Command &command) {
    if (command.header.op == Opcode::END)
      return {};
    const size_t self = size_t(command.header.engine);
    Clock start = clocks[self].empty() ? Clock{} : clocks[self].back();
    for (size_t e = 0; e < kEngineCount; ++e) {
      const uint64_t dispatched = clocks[e].size();
      const int16_t behind = int16_t(uint16_t(dispatched) - command.header.wait[e]);
      if (behind < 0)
        return {FaultCode::WAIT_FORWARD, "a wait names a later command"};
      if (const uint64_t waited = dispatched > uint64_t(behind) ? dispatched - behind : 0)
        for (size_t i = 0; i < kEngineCount; ++i)
          start[i] = std::max(start[i], clocks[e][waited - 1][i]);
    }
    const uint64_t own = clocks[self].size() + 1;
    sram.begin(self, own, start);
    for (ShadowMemory &region : regions)
      region.begin(self, own, start);
    start[self] = own;
    clocks[self].push_back(start);
    carryOut(command);
    return faultSoFar();
  }

  Fault faultSoFar() const {
    if (bad.code != FaultCode::NONE)
      return bad;
    if (sram.fault.code != FaultCode::NONE)
      return sram.fault;
    for (const ShadowMemory &region : regions)
      if (region.fault.code != FaultCode::NONE)
        return region.fault;
    return {};
  }

  void carryOut(const Command &command) {
    if (const auto *dma = std::get_if<Dma>(&command.payload))
      command.header.op == Opcode::DMA_FILL ? fill(*dma) : copy(*dma);
    else if (const auto *mac = std::get_if<MacRun>(&command.payload))
      runMac(*mac);
    else if (const auto *vec = std::get_if<VecRun>(&command.payload))
      runVec(*vec);
    else
      refuse(FaultCode::UNSUPPORTED, "a command these tests do not know");
  }

  // DMA

  static uint64_t lineOf(const Dma &d, uint64_t row) {
    return d.ringRows ? (d.firstRow + row) % d.ringRows : d.firstRow + row;
  }

  void fill(const Dma &d) {
    const bool toDram = d.mode == DmaMode::STORE_LINEAR;
    for (uint64_t i2 = 0; i2 < d.n2; ++i2)
      for (uint64_t i1 = 0; i1 < d.n1; ++i1)
        for (uint64_t i = 0; i < d.n0; ++i) {
          const auto byte = uint8_t(uint32_t(int32_t(d.padValue)) >> (8 * (i % d.elementSize)));
          if (toDram)
            regions[d.region].write(d.dramOffset + i2 * d.dramStride2 + i1 * d.dramStride1 + i,
                                    byte);
          else
            sram.write(d.sramAddress + lineOf(d, i2) * d.sramStride2 + i1 * d.sramStride1 + i,
                       byte);
        }
  }

  void copy(const Dma &d) {
    const bool linear = d.mode == DmaMode::LOAD_LINEAR || d.mode == DmaMode::STORE_LINEAR;
    const bool load = d.mode == DmaMode::LOAD_LINEAR || d.mode == DmaMode::NHWC_TO_B16;
    const uint32_t size = d.elementSize, lane0 = linear ? 0 : d.sramAddress % (16 * size) / size;
    if (d.padBefore || d.padAfter)
      refuse(FaultCode::UNSUPPORTED, "padding in a transfer");
    for (uint64_t i2 = 0; i2 < d.n2; ++i2)
      for (uint64_t i1 = 0; i1 < d.n1; ++i1) {
        const uint64_t dram = d.dramOffset + i2 * d.dramStride2 + i1 * d.dramStride1;
        const uint64_t base = d.sramAddress - lane0 * size + lineOf(d, i2) * d.sramStride2;
        const auto inSram = [&](uint64_t i) {
          if (linear)
            return base + i1 * d.sramStride1 + i;
          const uint64_t c = i / size + lane0;
          return base + c / 16 * d.sramStride1 + (i1 * 16 + c % 16) * size + i % size;
        };
        for (uint64_t i = 0; i < d.n0; ++i)
          load ? sram.write(inSram(i), regions[d.region].read(dram + i))
               : regions[d.region].write(dram + i, sram.read(inSram(i)));
        for (uint64_t c = d.n0 / size; !linear && load && (c + lane0) % 16; ++c)
          for (uint32_t i = 0; i < size; ++i)
            sram.write(inSram(c * size + i), uint8_t(uint16_t(d.padValue) >> (8 * i)));
      }
  }

  // Views

  uint64_t at(const View &v, uint64_t address, uint64_t row, uint64_t x, uint64_t c) {
    const uint32_t size = bytesOf(v.dtype);
    const uint64_t line = v.ringRows ? row % v.ringRows : row;
    if (v.layout == Layout::LINEAR)
      return address + line * v.rowStride + x * v.blockStride + c * size;
    if (address % 16 || v.rowStride % 16 || v.blockStride % 16)
      refuse(FaultCode::ALIGN, "a B16 view that is not aligned");
    return address + line * v.rowStride + c / 16 * v.blockStride + (x * 16 + c % 16) * size;
  }

  int32_t raw(DType type, uint64_t address) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < bytesOf(type); ++i)
      value |= uint32_t(sram.read(address + i)) << (8 * i);
    return type == DType::I8 ? int8_t(value) : type == DType::I16 ? int16_t(value) : int32_t(value);
  }

  int32_t load(const View &v, uint64_t address, uint64_t firstRow, uint64_t row, uint64_t x,
               uint64_t c) {
    if (v.broadcast & Axis::H)
      row = 0;
    if (v.broadcast & Axis::W)
      x = 0;
    if (v.broadcast & Axis::C)
      c = 0;
    return wrap(int64_t(raw(v.dtype, at(v, address, firstRow + row, x, c))) - v.zeroPoint);
  }

  void put(const View &v, uint64_t address, int32_t value) {
    for (uint32_t i = 0; i < bytesOf(v.dtype); ++i)
      sram.write(address + i, uint8_t(uint32_t(value) >> (8 * i)));
  }

  /// Stores a pixel's raw values, and the zero point in what is left of its last block.
  void store(const View &v, uint64_t address, uint64_t row, uint64_t x, uint64_t first,
             const std::vector<int32_t> &values) {
    for (uint64_t c = 0; c < values.size(); ++c)
      put(v, at(v, address, row, x, first + c), values[c]);
    for (uint64_t c = values.size(); v.layout == Layout::B16 && (first + c) % 16; ++c)
      put(v, at(v, address, row, x, first + c), v.zeroPoint);
  }

  // MAC

  uint64_t weightAt(const MacRun &run, const MacDescriptor &d, uint32_t o, uint32_t y, uint32_t x,
                    uint32_t c) const {
    uint64_t index = 0;
    if (d.mode == MacMode::DEPTHWISE)
      index = ((uint64_t(o / 16) * d.kernelH + y) * d.kernelW + x) * 16 + o % 16;
    else if (d.fold) {
      const uint32_t blocks = (d.kernelW * d.inputChannels + 15) / 16;
      const uint32_t k = x * d.inputChannels + c;
      index = (((uint64_t(o / 16) * d.kernelH + y) * blocks + k / 16) * 16 + o % 16) * 16 + k % 16;
    } else {
      const uint32_t blocks = (d.inputChannels + 15u) / 16;
      index =
          ((((uint64_t(o / 16) * d.kernelH + y) * d.kernelW + x) * blocks + c / 16) * 16 + o % 16) *
              16 +
          c % 16;
    }
    if (index >= run.weightLength)
      return UINT64_MAX;
    return run.weightAddress + index;
  }

  void checkMac(const MacRun &run, const MacDescriptor &d) {
    const auto reach = [](uint32_t out, uint32_t stride, uint32_t kernel, uint32_t dilation) {
      return (out - 1) * stride + (kernel - 1) * dilation + 1;
    };
    if (d.mode != MacMode::MATMUL && (reach(run.outH, d.strideH, d.kernelH, d.dilationH) >
                                          uint32_t(run.padTop + run.inRows + run.padBottom) ||
                                      reach(run.outW, d.strideW, d.kernelW, d.dilationW) >
                                          uint32_t(run.padLeft + run.inCols + run.padRight)))
      refuse(FaultCode::BAD_DESC, "a window leaves the padded input");
    const uint64_t contracted = d.fold ? (d.kernelW * d.inputChannels + 15) / 16
                                       : d.kernelW * ((d.inputChannels + 15) / 16);
    const uint64_t brick = d.mode == MacMode::DEPTHWISE ? uint64_t(d.kernelH) * d.kernelW * 16
                                                        : d.kernelH * contracted * 256;
    if (run.weightLength != (run.outC + 15) / 16 * brick)
      refuse(FaultCode::CODEC, "weight_length is not the bricks'");
    if (run.weightAddress % 16 || run.tableAddress % 16 || d.lutAddress % 16 ||
        run.firstChannel % 16)
      refuse(FaultCode::ALIGN, "an address of MAC_RUN");
    if (d.fold && (d.input.layout != Layout::LINEAR || d.input.blockStride != d.inputChannels ||
                   d.dilationW != 1))
      refuse(FaultCode::BAD_DESC, "fold of another view");
  }

  int32_t accumulate(const MacRun &run, const MacDescriptor &d, uint32_t y, uint32_t x,
                     uint32_t o) {
    int64_t sum = 0;
    for (uint32_t ky = 0; ky < d.kernelH; ++ky)
      for (uint32_t kx = 0; kx < d.kernelW; ++kx) {
        const int64_t row = int64_t(y) * d.strideH - run.padTop + ky * d.dilationH;
        const int64_t column = int64_t(x) * d.strideW - run.padLeft + kx * d.dilationW;
        if (row < 0 || row >= run.inRows || column < 0 || column >= run.inCols)
          continue;
        const bool depthwise = d.mode == MacMode::DEPTHWISE;
        const uint32_t channels = depthwise ? 1 : d.inputChannels;
        for (uint32_t c = 0; c < channels; ++c) {
          const uint32_t in = depthwise ? (run.firstChannel + o) / d.channelMultiplier : c;
          const int64_t weight =
              int8_t(sram.read(weightAt(run, d, o, ky, kx, c))) - d.weightZeroPoint;
          sum += load(d.input, run.inputAddress, run.inputRow, row, column, in) * weight;
        }
      }
    return wrap(sum);
  }

  int32_t postProcess(const MacRun &run, const MacDescriptor &d, int32_t sum, uint32_t y,
                      uint32_t x, uint32_t o) {
    const bool isDouble = d.rounding == Rounding::DOUBLE;
    const uint64_t entry = run.tableAddress + 16 * o;
    const int32_t bias = raw(DType::I32, entry), multiplier = raw(DType::I32, entry + 8);
    int64_t v = rescale(wrap(int64_t(sum) + bias), multiplier, sram.read(entry + 6), isDouble);
    v = clip(v + d.zeroPointA, d.clampAMin, d.clampAMax);
    if (d.eltwise != Eltwise::NONE) {
      const int32_t operand =
          load(d.operand, run.operandAddress, run.operandRow, y, x, run.firstChannel + o);
      const auto shifted = [&](int64_t value) {
        return wrap(int64_t(uint64_t(value) << d.inputLeftShift));
      };
      const int32_t a = rescale(shifted(v - d.zeroPointA), d.mainMultiplier, d.mainShift, isDouble);
      const int32_t b = rescale(shifted(operand), d.operandMultiplier, d.operandShift, isDouble);
      v = int64_t(rescale(combine(d.eltwise, a, b), d.resultMultiplier, d.resultShift, isDouble)) +
          d.output.zeroPoint;
    }
    v = clip(v, d.clampBMin, d.clampBMax);
    if (d.lut == LutMode::TABLE8)
      v = raw(d.output.dtype,
              d.lutAddress + std::clamp<int64_t>(v - lowest(d.output.dtype), 0, 255));
    return saturate(v, d.output.dtype);
  }

  void runMac(const MacRun &run) {
    auto d = stream.macDescriptor(run.descriptor);
    if (!d)
      return refuse(d.error().code, d.error().message);
    checkMac(run, *d);
    for (uint32_t y = 0; y < run.outH; ++y)
      for (uint32_t x = 0; x < run.outW; ++x) {
        std::vector<int32_t> pixel;
        for (uint32_t o = 0; o < run.outC; ++o)
          pixel.push_back(postProcess(run, *d, accumulate(run, *d, y, x, o), y, x, o));
        store(d->output, run.outputAddress, run.outputRow + y, x, run.firstChannel, pixel);
      }
  }

  // VEC

  void runVec(const VecRun &run) {
    auto d = stream.vecDescriptor(run.descriptor);
    if (!d)
      return refuse(d.error().code, d.error().message);
    auto program = stream.program(*d);
    if (!program)
      return refuse(program.error().code, program.error().message);
    for (uint32_t y = 0; y < run.h; ++y)
      for (uint32_t x = 0; x < run.w; ++x) {
        std::vector<int32_t> pixel = d->vecKind == VecKind::ELEMENTWISE
                                         ? elementwise(run, *d, *program, y, x)
                                         : windows(run, *d, y, x);
        for (int32_t &value : pixel)
          value = saturate(int64_t(value) + d->output.zeroPoint, d->output.dtype);
        store(d->output, run.outAddress, run.outRow + y, x, 0, pixel);
      }
  }

  std::vector<int32_t> elementwise(const VecRun &run, const VecDescriptor &d,
                                   const std::vector<MicroOp> &program, uint32_t y, uint32_t x) {
    bool readsB = false;
    for (const MicroOp &op : program)
      readsB |= op.srcA == uint8_t(Source::B) || op.srcB == uint8_t(Source::B);
    std::vector<int32_t> a, b;
    for (uint32_t c = 0; c < run.c; ++c) {
      a.push_back(load(d.a, run.aAddress, run.aRow, y, x, c));
      b.push_back(readsB ? load(d.b, run.bAddress, run.bRow, y, x, c) : 0);
    }
    return runProgram(program, a, b, run.immediate0, run.immediate1,
                      [&](int64_t offset) { return sram.read(d.lutAddress + offset); });
  }

  std::vector<int32_t> windows(const VecRun &run, const VecDescriptor &d, uint32_t y, uint32_t x) {
    std::vector<int32_t> pixel;
    const bool pool = d.vecKind == VecKind::POOL;
    for (uint32_t c = 0; c < run.c; ++c)
      pixel.push_back(pool ? poolElement(run, d, y, x, c) : reduceElement(run, d, y, x, c));
    return pixel;
  }

  int32_t poolElement(const VecRun &run, const VecDescriptor &d, uint32_t y, uint32_t x,
                      uint32_t c) {
    int64_t sum = 0, count = 0, largest = INT64_MIN;
    for (uint32_t ky = 0; ky < d.kernelH; ++ky)
      for (uint32_t kx = 0; kx < d.kernelW; ++kx) {
        const int64_t row = int64_t(y) * d.strideH - run.padTop + ky;
        const int64_t column = int64_t(x) * d.strideW - run.padLeft + kx;
        if (row < 0 || row >= run.inRows || column < 0 || column >= run.inCols)
          continue;
        const int64_t value = load(d.a, run.aAddress, run.aRow, row, column, c);
        sum += value + d.inputOffset, ++count;
        largest = std::max(largest, value);
      }
    if (!count)
      return 0;
    const int64_t value = d.operation == VecOperation::MAX
                              ? largest
                              : average(sum, count, d.rounding) - d.inputOffset;
    return int32_t(clip(value, d.clampMin, d.clampMax));
  }

  int32_t reduceElement(const VecRun &run, const VecDescriptor &d, uint32_t y, uint32_t x,
                        uint32_t c) {
    const auto range = [&](uint16_t axis, uint32_t extent, uint32_t at) {
      return d.axis & axis ? std::pair(0u, extent) : std::pair(at, at + 1);
    };
    const auto rows = range(Axis::H, run.inRows, y), columns = range(Axis::W, run.inCols, x),
               channels = range(Axis::C, run.inChannels, c);
    int64_t sum = 0;
    for (uint32_t i = rows.first; i < rows.second; ++i)
      for (uint32_t j = columns.first; j < columns.second; ++j)
        for (uint32_t k = channels.first; k < channels.second; ++k)
          sum += int64_t(load(d.a, run.aAddress, run.aRow, i, j, k)) + d.inputOffset;
    if (d.operation != VecOperation::SUM)
      refuse(FaultCode::UNSUPPORTED, "a reduction these tests do not know");
    return int32_t(clip(wrap(sum), d.clampMin, d.clampMax));
  }
};

} // namespace

Fault interpret(ByteSpan bytes, const Config &config, Job &job) {
  auto stream = readStream(bytes);
  if (!stream)
    return {stream.error().code, stream.error().message};
  return Interpreter(*stream, config, job).run();
}

} // namespace tenon::mortise::testing
