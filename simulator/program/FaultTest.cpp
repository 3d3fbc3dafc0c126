// SPDX-License-Identifier: Apache-2.0
// Every fault that a stream can raise, with the place it names. BUS and SRAM_ECC are a board's.
#include <gtest/gtest.h>

#include "simulator/testing/TestJob.h"

namespace tenon::simulator {
namespace {

using namespace mortise;
using testing::TestJob;

constexpr uint8_t kA = uint8_t(Source::A), kB = uint8_t(Source::B);

void expectFault(const Fault &fault, FaultCode code, Engine engine, uint16_t tag, uint32_t command,
                 uint64_t address) {
  EXPECT_EQ(nameOf(fault.code), std::string(nameOf(code))) << fault.message;
  EXPECT_EQ(nameOf(fault.engine), std::string(nameOf(engine)));
  EXPECT_EQ(fault.layerTag, tag);
  EXPECT_EQ(fault.command, command);
  EXPECT_EQ(fault.address, address) << fault.message;
}

/// A job whose command 0 is harmless, so that indices tell something.
TestJob jobWithLoad() {
  TestJob job;
  job.move(Engine::LD, {.region = 3, .sramAddress = 0x8000, .n0 = 64});
  return job;
}

Dma load(uint32_t n0) { return {.region = 3, .sramAddress = 0x100, .n0 = n0}; }

MacRun smallRun() {
  MacRun run;
  run.inputAddress = 0x1000, run.outputAddress = 0x2000;
  run.weightAddress = 0x3000, run.weightLength = 256, run.tableAddress = 0x4000;
  return run;
}
MacDescriptor smallMac() {
  MacDescriptor d;
  d.inputChannels = 16;
  return d;
}
VecRun smallVec() {
  VecRun run;
  run.aAddress = 0x1000, run.bAddress = 0x1800, run.outAddress = 0x2000;
  return run;
}
const std::vector<MicroOp> kMove = {{MicroOpcode::MOV, 0, 0, kA, 0, 0}};

Fault faultOf(const MacDescriptor &d, const MacRun &run) {
  TestJob job = jobWithLoad();
  job.run(d, run, {}, 7);
  return job.fault();
}
Fault faultOf(const VecDescriptor &d, const VecRun &run, const std::vector<MicroOp> &program) {
  TestJob job = jobWithLoad();
  job.run(d, run, program, {}, 7);
  return job.fault();
}
Fault faultOf(const Dma &dma, bool fill = false) {
  TestJob job = jobWithLoad();
  job.move(Engine::WT, dma, {}, fill, 7);
  return job.fault();
}

TEST(Fault, NoneFromWhatIsRight) {
  EXPECT_EQ(faultOf(smallMac(), smallRun()).message, "");
  EXPECT_EQ(faultOf(VecDescriptor{}, smallVec(), kMove).message, "");
  EXPECT_EQ(faultOf(load(64)).message, "");
}

TEST(Fault, BadVersion) {
  const TestJob job;
  TestJob made;
  Bytes bytes = made.finish();
  bytes[0] ^= 1;
  expectFault(*job.load(bytes).fault(), FaultCode::BAD_VERSION, Engine::CP, 0, 0, 0);
  EXPECT_EQ(job.load(bytes).fault()->message, "byte 0: no Mortise stream");
  bytes[0] ^= 1, bytes[6] = 2;
  expectFault(*job.load(bytes).fault(), FaultCode::BAD_VERSION, Engine::CP, 0, 0, 0);
  bytes[6] = 1, bytes[8] ^= 1; // the configuration's hash
  expectFault(*job.load(bytes).fault(), FaultCode::BAD_VERSION, Engine::CP, 0, 0, 0);
  EXPECT_EQ(job.load({}).fault()->code, FaultCode::BAD_VERSION);
}

TEST(Fault, BadOpcode) {
  TestJob job = jobWithLoad();
  job.move(Engine::WT, load(64), {}, false, 7);
  Bytes bytes = job.finish();
  const uint64_t command = StreamHeader::kBytes + kCommandBytes;
  Bytes reserved = bytes, unknown = bytes, engine = bytes;
  reserved[command + 16 + 3] = 1; // in the payload: the header is readable
  expectFault(*job.load(reserved).fault(), FaultCode::BAD_OPCODE, Engine::WT, 7, 1,
              command + 16 + 3);
  unknown[command] = 0x77; // no header: the tag is all there is
  expectFault(*job.load(unknown).fault(), FaultCode::BAD_OPCODE, Engine::CP, 7, 1, command);
  engine[command + 1] = uint8_t(Engine::MAC);
  EXPECT_EQ(job.load(engine).fault()->code, FaultCode::BAD_OPCODE);
}

TEST(Fault, BadOpcodeOfTransfers) {
  Dma dma = load(12);
  dma.elementSize = 3;
  expectFault(faultOf(dma), FaultCode::BAD_OPCODE, Engine::WT, 7, 1, 0);
  dma = {.region = 2, .mode = DmaMode::STORE_LINEAR, .n0 = 64, .padBefore = 1};
  expectFault(faultOf(dma), FaultCode::BAD_OPCODE, Engine::WT, 7, 1, 0);
  dma = {.region = 2, .mode = DmaMode::NHWC_TO_B16, .n0 = 16, .sramStride1 = 16};
  expectFault(faultOf(dma, true), FaultCode::BAD_OPCODE, Engine::WT, 7, 1, 0);
}

TEST(Fault, BadDescriptorThatCannotBeRead) {
  TestJob job = jobWithLoad();
  job.run(VecDescriptor{}, smallVec(), kMove);
  job.run(smallMac(), smallRun(), {}, 7);
  Bytes bytes = job.finish();
  const auto stream = readStream(bytes);
  const uint64_t descriptor = uint64_t(stream->descriptors.data() - bytes.data()) + 128;
  const uint64_t command = StreamHeader::kBytes + 2 * kCommandBytes;
  Bytes missing = bytes, kernel = bytes, other = bytes;
  kernel[descriptor + 2] = 0;
  expectFault(*job.load(kernel).fault(), FaultCode::BAD_DESC, Engine::MAC, 7, 2, descriptor + 2);
  other[command + 16] = 0; // VEC's, whose byte 2 is no kernel
  expectFault(*job.load(other).fault(), FaultCode::BAD_DESC, Engine::MAC, 7, 2,
              descriptor - 128 + 2);
  missing[command + 16] = 2;
  expectFault(*job.load(missing).fault(), FaultCode::BAD_DESC, Engine::MAC, 7, 2, descriptor + 128);
}

TEST(Fault, BadDescriptorOfMac) {
  const auto refusal = [](auto change) {
    MacDescriptor d = smallMac();
    MacRun run = smallRun();
    change(d, run);
    const Fault fault = faultOf(d, run);
    EXPECT_EQ(fault.engine, Engine::MAC);
    EXPECT_EQ(fault.command, 1u);
    return std::string(nameOf(fault.code)) + ": " + fault.message;
  };
  EXPECT_EQ(refusal([](auto &d, auto &) { d.kernelH = 2; }),
            "BAD_DESC: windows reach 2 rows and 1 columns, the padded input has 1 and 1");
  EXPECT_EQ(refusal([](auto &d, auto &run) { d.mode = MacMode::MATMUL, run.padTop = 1; }),
            "BAD_DESC: MATMUL with a window, stride or padding");
  EXPECT_EQ(refusal([](auto &d, auto &) { d.fold = 1; }),
            "BAD_DESC: fold of another view than a dense LINEAR one");
  EXPECT_EQ(refusal([](auto &d, auto &run) {
              d.mode = MacMode::DEPTHWISE, run.outC = 17, run.weightLength = 32;
            }),
            "BAD_DESC: output needs input channel 16, there are 16");
  EXPECT_EQ(refusal([](auto &d, auto &) { d.lut = LutMode::TABLE8, d.output.dtype = DType::I16; }),
            "BAD_DESC: a table makes 8-bit results only");
  EXPECT_EQ(refusal([](auto &d, auto &) { d.output.dtype = DType::I32, d.output.zeroPoint = 1; }),
            "BAD_DESC: output: an I32 view has zero point 1");
  EXPECT_EQ(refusal([](auto &d, auto &) { d.output.broadcast = Axis::C; }),
            "BAD_DESC: output: broadcast of another view than a VEC operand");
  EXPECT_EQ(refusal([](auto &d, auto &) { d.input.broadcast = Axis::W; }),
            "BAD_DESC: input: broadcast of another view than a VEC operand");
}

TEST(Fault, BadDescriptorOfVec) {
  VecDescriptor d;
  d.output.broadcast = Axis::C, d.output.layout = Layout::LINEAR;
  expectFault(faultOf(d, smallVec(), kMove), FaultCode::BAD_DESC, Engine::VEC, 7, 1, 0x2000);
  d = {}, d.vecKind = VecKind::POOL, d.operation = VecOperation::SUM;
  expectFault(faultOf(d, smallVec(), {}), FaultCode::BAD_DESC, Engine::VEC, 7, 1, 0);
  d.vecKind = VecKind::REDUCE, d.axis = Axis::H;
  VecRun run = smallVec();
  expectFault(faultOf(d, run, {}), FaultCode::BAD_DESC, Engine::VEC, 7, 1, 0); // nothing to reduce
  run.inRows = 2, run.h = 2;
  expectFault(faultOf(d, run, {}), FaultCode::BAD_DESC, Engine::VEC, 7, 1, 0);
  run.h = 1;
  EXPECT_EQ(faultOf(d, run, {}).message, "");
}

TEST(Fault, SramRange) {
  const uint32_t end = loadConfig("tiny")->sramBytes;
  Dma dma = load(64);
  dma.sramAddress = end - 63;
  expectFault(faultOf(dma), FaultCode::SRAM_RANGE, Engine::WT, 7, 1, end - 63);
  dma.sramAddress = end - 64;
  EXPECT_EQ(faultOf(dma).message, "");
  MacRun run = smallRun();
  run.tableAddress = end; // just past it
  expectFault(faultOf(smallMac(), run), FaultCode::SRAM_RANGE, Engine::MAC, 7, 1, end);
}

TEST(Fault, SramRangeOfTables) {
  VecDescriptor d;
  // Each sum of 32 bits would wrap into SRAM.
  d.lutAddress = 0xfffffff0;
  const std::vector<MicroOp> above = {{MicroOpcode::LUT8, 0, 0, kA, 0, 0x100}};
  expectFault(faultOf(d, smallVec(), above), FaultCode::SRAM_RANGE, Engine::VEC, 7, 1, 0x1000000f0);
  d.lutAddress = 0x100;
  const std::vector<MicroOp> below = {{MicroOpcode::LUT16, 0, 0, kA, 0, -0x200}};
  expectFault(faultOf(d, smallVec(), below), FaultCode::SRAM_RANGE, Engine::VEC, 7, 1,
              uint64_t(-0x100));
}

TEST(Fault, SramRangeOfPaddingAroundNothing) {
  const uint32_t end = loadConfig("tiny")->sramBytes;
  const Dma dma{.region = 3,
                .mode = DmaMode::NHWC_TO_B16,
                .sramAddress = end - 16,
                .n0 = 16,
                .n1 = 0,
                .padBefore = 2};
  expectFault(faultOf(dma), FaultCode::SRAM_RANGE, Engine::WT, 7, 1, end - 16);
}

TEST(Fault, RegionRange) {
  Dma dma = load(64);
  dma.dramOffset = testing::kRegionBytes - 63;
  expectFault(faultOf(dma), FaultCode::REGION_RANGE, Engine::WT, 7, 1, dma.dramOffset);
  dma.dramOffset = uint64_t(-32); // wraps
  expectFault(faultOf(dma), FaultCode::REGION_RANGE, Engine::WT, 7, 1, dma.dramOffset);
  dma.dramOffset = 0, dma.n2 = 65, dma.dramStride2 = 64;
  expectFault(faultOf(dma), FaultCode::REGION_RANGE, Engine::WT, 7, 1, 0);
}

TEST(Fault, RegionRangeWithoutEnd) {
  TestJob job = jobWithLoad();
  const Bytes bytes = job.builder.finish(job.config);
  expectFault(*job.load(bytes).fault(), FaultCode::REGION_RANGE, Engine::CP, 0, 1,
              StreamHeader::kBytes + kCommandBytes);
}

TEST(Fault, RegionPermission) {
  Dma dma{
      .region = 3, .mode = DmaMode::STORE_LINEAR, .sramAddress = 0x100, .dramOffset = 8, .n0 = 64};
  expectFault(faultOf(dma), FaultCode::REGION_PERM, Engine::WT, 7, 1, 8);
  dma.region = 0;
  EXPECT_EQ(faultOf(dma).code, FaultCode::REGION_PERM);
  TestJob job;
  job.builder.add(Opcode::SIGNAL, Engine::CP, Signal{1, 5, 16}, 7);
  expectFault(job.fault(), FaultCode::REGION_PERM, Engine::CP, 7, 0, 16);
}

TEST(Fault, AlignmentOfTransfers) {
  Dma dma = load(6);
  dma.elementSize = 4;
  EXPECT_EQ(faultOf(dma).code, FaultCode::ALIGN);
  dma.n0 = 8, dma.sramAddress = 0x102;
  expectFault(faultOf(dma), FaultCode::ALIGN, Engine::WT, 7, 1, 0x102);
  dma = {
      .region = 3, .mode = DmaMode::NHWC_TO_B16, .sramAddress = 0x100, .n0 = 8, .sramStride2 = 24};
  expectFault(faultOf(dma), FaultCode::ALIGN, Engine::WT, 7, 1, 0x100);
  TestJob job;
  job.builder.add(Opcode::SIGNAL, Engine::CP, Signal{4, 5, 6}, 7);
  expectFault(job.fault(), FaultCode::ALIGN, Engine::CP, 7, 0, 6);
}

TEST(Fault, AlignmentOfMac) {
  const auto expectAt = [](uint64_t address, auto change) {
    MacDescriptor d = smallMac();
    MacRun run = smallRun();
    change(d, run);
    expectFault(faultOf(d, run), FaultCode::ALIGN, Engine::MAC, 7, 1, address);
  };
  expectAt(0x1008, [](auto &, auto &run) { run.inputAddress = 0x1008; });
  expectAt(0x2004, [](auto &, auto &run) { run.outputAddress = 0x2004; });
  expectAt(0x3001, [](auto &, auto &run) { run.weightAddress = 0x3001; });
  expectAt(0x4008, [](auto &, auto &run) { run.tableAddress = 0x4008; });
  expectAt(0x2000, [](auto &, auto &run) { run.firstChannel = 8; });
  expectAt(0x1000, [](auto &d, auto &) { d.input.rowStride = 40; });
  expectAt(0x5004, [](auto &d, auto &) { d.lut = LutMode::TABLE8, d.lutAddress = 0x5004; });
  expectAt(0x6004,
           [](auto &d, auto &run) { d.eltwise = Eltwise::ADD, run.operandAddress = 0x6004; });
}

TEST(Fault, AlignmentOfVec) {
  VecRun run = smallVec();
  run.outAddress = 0x2008;
  expectFault(faultOf(VecDescriptor{}, run, kMove), FaultCode::ALIGN, Engine::VEC, 7, 1, 0x2008);
  VecDescriptor d;
  d.a.layout = Layout::LINEAR, d.a.dtype = DType::I32;
  run = smallVec(), run.aAddress = 0x1002;
  expectFault(faultOf(d, run, kMove), FaultCode::ALIGN, Engine::VEC, 7, 1, 0x1002);
  // Operand b is not read: its address is nothing.
  run = smallVec(), run.bAddress = 0x1801;
  EXPECT_EQ(faultOf(VecDescriptor{}, run, kMove).message, "");
}

TEST(Fault, WaitForward) {
  TestJob job = jobWithLoad();
  job.move(Engine::WT, load(64), {}, false, 7);
  Bytes bytes = job.finish();
  const uint64_t wait = StreamHeader::kBytes + kCommandBytes + 4;
  bytes[wait] = 2; // LD has one
  expectFault(*job.load(bytes).fault(), FaultCode::WAIT_FORWARD, Engine::WT, 7, 1, wait);
  bytes[wait] = 1, bytes[wait + 2] = 1; // on WT: on itself
  expectFault(*job.load(bytes).fault(), FaultCode::WAIT_FORWARD, Engine::WT, 7, 1, wait + 2);
}

TEST(Fault, Hazard) {
  TestJob job;
  const uint64_t loaded = job.move(Engine::LD, load(64));
  Dma other = load(64);
  other.sramAddress = 0x13f;
  job.move(Engine::WT, other, {}, false, 7);
  expectFault(job.fault(), FaultCode::HAZARD, Engine::WT, 7, 1, 0x13f);
  TestJob ordered;
  ordered.move(Engine::LD, load(64));
  ordered.move(Engine::WT, other, Waits().on(Engine::LD, loaded));
  EXPECT_EQ(ordered.fault().message, "");
}

TEST(Fault, Codec) {
  MacRun run = smallRun();
  run.weightLength = 240;
  expectFault(faultOf(smallMac(), run), FaultCode::CODEC, Engine::MAC, 7, 1, 0x3000);
  EXPECT_EQ(faultOf(smallMac(), run).message, "240 bytes of weights, not 256");
}

TEST(Fault, MicroProgram) {
  EXPECT_EQ(faultOf(VecDescriptor{}, smallVec(), {}).code, FaultCode::UPROG);
  const auto codeOf = [](MicroOp op) { return faultOf({}, smallVec(), {op}).code; };
  EXPECT_EQ(codeOf({MicroOpcode::ADD, 0, 0, kA, 21, 0}), FaultCode::UPROG); // no such source
  EXPECT_EQ(codeOf({MicroOpcode::ADD, 0, 1, kA, kB, 0}), FaultCode::UPROG); // no such option
  EXPECT_EQ(codeOf({MicroOpcode::LUT8, 0, 3, kA, 0, 0}), FaultCode::UPROG);
  EXPECT_EQ(codeOf({MicroOpcode::SEL, 0, 0, kA, kB, 21}), FaultCode::UPROG);
  EXPECT_EQ(codeOf({MicroOpcode::CAST, 0, 0, kA, 0, 4}), FaultCode::UPROG);
  EXPECT_EQ(codeOf({MicroOpcode::RESCALE, 0, 1, kA, 62, 1}), FaultCode::NONE);
  EXPECT_EQ(codeOf({MicroOpcode::RESCALE, 0, 2, kA, 62, 1}), FaultCode::UPROG);
}

TEST(Fault, MicroProgramNamesTheOp) {
  TestJob job = jobWithLoad();
  job.run(VecDescriptor{}, smallVec(),
          {{MicroOpcode::MOV, 0, 0, kA, 0, 0}, {MicroOpcode::ADD, 0, 1, kA, kB, 0}}, {}, 7);
  const Bytes bytes = job.finish();
  const uint64_t programs = uint64_t(readStream(bytes)->programs.data() - bytes.data());
  expectFault(*job.load(bytes).fault(), FaultCode::UPROG, Engine::VEC, 7, 1,
              programs + kMicroOpBytes);
}

TEST(Fault, Watchdog) {
  TestJob job = jobWithLoad();
  const uint64_t first = job.move(Engine::WT, load(64), {}, false, 3);
  Dma large = load(testing::kRegionBytes);
  large.sramAddress = 0x1000;
  job.move(Engine::WT, large, Waits().on(Engine::WT, first), false, 7);
  const Bytes bytes = job.finish();
  const uint64_t cycles = job.load(bytes).timeline().cycles;
  job.options.watchdogCycles = cycles;
  EXPECT_FALSE(job.load(bytes).fault());
  job.options.watchdogCycles = cycles - 1;
  expectFault(*job.load(bytes).fault(), FaultCode::WATCHDOG, Engine::WT, 7, 2, 0);
  EXPECT_EQ(job.load(bytes).timeline().cycles, 0u);
  job.options.watchdogCycles = 10;
  expectFault(*job.load(bytes).fault(), FaultCode::WATCHDOG, Engine::LD, 1, 0, 0);
}

// Shapes whose products leave 64 bits or that the closed forms take for nothing.
TEST(Fault, WatchdogSeesWorkThatTheTimingModelDoesNot) {
  VecDescriptor d;
  d.vecKind = VecKind::REDUCE, d.operation = VecOperation::SUM, d.axis = Axis::H;
  d.a.layout = d.output.layout = Layout::LINEAR, d.output.dtype = DType::I32;
  VecRun run = smallVec();
  run.w = 0xffff, run.c = 256, run.inRows = 0xffff;
  TestJob job = jobWithLoad();
  job.run(d, run, {}, {}, 7);
  job.options.watchdogCycles = 100'000'000;
  expectFault(job.fault(), FaultCode::WATCHDOG, Engine::VEC, 7, 1, 0);
  TestJob padding;
  padding.move(Engine::LD, {.region = 3, .n0 = 0, .n1 = 0xffff, .n2 = 0xffff, .padBefore = 255}, {},
               false, 7);
  padding.options.watchdogCycles = 1'000'000;
  expectFault(padding.fault(), FaultCode::WATCHDOG, Engine::LD, 7, 0, 0);
}

TEST(Fault, Unsupported) {
  const auto expectMac = [](uint64_t address, auto change) {
    MacDescriptor d = smallMac();
    change(d);
    expectFault(faultOf(d, smallRun()), FaultCode::UNSUPPORTED, Engine::MAC, 7, 1, address);
  };
  expectMac(0x3000, [](auto &d) { d.weightType = WeightType::I4; });
  expectMac(0x3000, [](auto &d) { d.codec = Codec::PACKED; });
  expectMac(0x3000, [](auto &d) { d.accumulator = Accumulator::I48; });
  expectMac(0x1000, [](auto &d) { d.input.dtype = DType::I16; });
  expectMac(0x1000, [](auto &d) { d.input.zeroPoint = 256; });
  expectMac(0x2000, [](auto &d) { d.output.dtype = DType::F32; });
  VecDescriptor d;
  for (VecKind kind : {VecKind::RESIZE, VecKind::TRANSPOSE, VecKind::ARGMAX, VecKind::GATHER}) {
    d.vecKind = kind;
    expectFault(faultOf(d, smallVec(), {}), FaultCode::UNSUPPORTED, Engine::VEC, 7, 1, 0);
  }
  TestJob job = jobWithLoad();
  job.builder.add(Opcode::DMA_GATHER, Engine::LD, Gather{}, 7);
  expectFault(job.fault(), FaultCode::UNSUPPORTED, Engine::LD, 7, 1, 0);
}

TEST(Fault, AStreamWithAFaultRunsNothing) {
  TestJob job = jobWithLoad();
  Dma store{.region = 4, .mode = DmaMode::STORE_LINEAR, .sramAddress = 0x8000, .n0 = 64};
  job.move(Engine::ST, store, Waits().on(Engine::LD, 1));
  job.move(Engine::LD, load(testing::kRegionBytes + 1));
  const Program program = job.load(job.finish());
  EXPECT_TRUE(program.fault());
  EXPECT_TRUE(program.steps().empty());
}

} // namespace
} // namespace tenon::simulator
