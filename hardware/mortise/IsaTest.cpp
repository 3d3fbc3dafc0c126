// SPDX-License-Identifier: Apache-2.0
// Hand-written hexadecimal vectors keep the generator honest: at least one a command and a
// descriptor.
#include "hardware/mortise/generated/Isa.h"

#include <gtest/gtest.h>

extern "C" unsigned mortise_ring_tail_offset(void);

namespace tenon::mortise {
namespace {

/// Bytes of hexadecimal digits, blanks ignored, zero-filled to \p size.
Bytes fromHex(std::string_view text, size_t size) {
  Bytes bytes;
  std::string digits;
  for (char c : text)
    if (!isspace(c))
      digits += c;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(uint8_t(std::stoi(digits.substr(i, 2), nullptr, 16)));
  bytes.resize(size);
  return bytes;
}

template <typename T> void expectVector(const T &value, std::string_view hex) {
  const auto encoded = encode(value);
  const Bytes expected = fromHex(hex, encoded.size());
  EXPECT_EQ(Bytes(encoded.begin(), encoded.end()), expected);
  auto decoded = decode<T>(expected);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(*decoded, value);
}

TEST(Isa, Nop) {
  expectVector(Command{{Opcode::NOP, Engine::CP, 0, {1, 2, 3, 4, 5}, 0x0706}, {}},
               "01 05 0000 0100 0200 0300 0400 0500 0607");
}

TEST(Isa, Barrier) {
  expectVector(Command{{Opcode::BARRIER, Engine::CP, Flag::IRQ | Flag::LAST_OF_LAYER, {}, 9}, {}},
               "02 05 0500 0000 0000 0000 0000 0000 0900");
}

TEST(Isa, Signal) {
  expectVector(
      Command{{Opcode::SIGNAL, Engine::CP, 0, {}, 0}, Signal{2, 0x11223344, 0x0102030405060708}},
      "03 05 0000 0000 0000 0000 0000 0000 0000"
      "02 000000 44332211 0807060504030201");
}

TEST(Isa, StampAndEnd) {
  expectVector(Command{{Opcode::STAMP, Engine::CP, 0, {}, 0}, Stamp{0x0102}},
               "04 05 0000 0000 0000 0000 0000 0000 0000 0201");
  expectVector(Command{{Opcode::END, Engine::CP, 0, {}, 0}, End{0xDEADBEEF}},
               "05 05 0000 0000 0000 0000 0000 0000 0000 EFBEADDE");
}

TEST(Isa, DmaCopyAndFill) {
  Dma dma{3,
          DmaMode::NHWC_TO_B16,
          2,
          0x00010020,
          0x1122334455,
          6,
          7,
          8,
          0x100,
          0x200,
          0x40,
          0x80,
          5,
          3,
          -2,
          1,
          2};
  const std::string payload = "03 02 02 00 20000100 5544332211000000 06000000 0700 0800"
                              "00010000 00020000 40000000 80000000 0500 0300 FEFF 01 02";
  expectVector(Command{{Opcode::DMA_COPY, Engine::WT, 0, {}, 1}, dma},
               "10 01 0000 0000 0000 0000 0000 0000 0100" + payload);
  expectVector(Command{{Opcode::DMA_FILL, Engine::ST, 0, {}, 1}, dma},
               "11 02 0000 0000 0000 0000 0000 0000 0100" + payload);
}

TEST(Isa, DmaGather) {
  expectVector(
      Command{{Opcode::DMA_GATHER, Engine::LD, 0, {}, 1}, Gather{1, 16, 32, 48, 5, 64, 99, 80, 96}},
      "12 00 0000 0000 0000 0000 0000 0000 0100"
      "01 000000 10000000 2000000000000000 30000000 0500 0000 40000000 63000000 50000000 60000000");
}

TEST(Isa, MacRun) {
  expectVector(Command{{Opcode::MAC_RUN, Engine::MAC, 0, {}, 1},
                       MacRun{1,      2,      3,  4,  5,  6,  7,      8,      9,      10,
                              0x1000, 0x2000, 11, 12, 16, 13, 0x3000, 0x4000, 0x5000, 0x6000}},
               "20 03 0000 0000 0000 0000 0000 0000 0100"
               "0100 0200 0300 0400 0500 0600 07 08 09 0A 00100000 00200000"
               "0B00 0C00 1000 0D00 00300000 00400000 00500000 00600000");
}

TEST(Isa, VecRun) {
  expectVector(Command{{Opcode::VEC_RUN, Engine::VEC, 0, {}, 1},
                       VecRun{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0x1000, 0x2000, 0x3000, 11, 12, 13, 14,
                              -1, 15}},
               "30 04 0000 0000 0000 0000 0000 0000 0100"
               "0100 0200 0300 0400 0500 0600 07 08 09 0A 00100000 00200000 00300000"
               "0B00 0C00 0D00 0E00 FFFFFFFF 0F000000");
}

TEST(Isa, MacDescriptor) {
  MacDescriptor d;
  d.mode = MacMode::DEPTHWISE;
  d.kernelH = 3, d.kernelW = 5, d.strideH = 2, d.strideW = 1, d.dilationH = 1, d.dilationW = 2;
  d.channelMultiplier = 4;
  d.inputChannels = 0x0123;
  d.input = {DType::U8, Layout::LINEAR, 0, 6, 128, 0x100, 0x10};
  d.output = {DType::I8, Layout::B16, 0, 0, -5, 0x200, 0x20};
  d.operand = {DType::I16, Layout::B16, 4, 0, 0, 0x300, 0x30};
  d.weightZeroPoint = -3;
  d.eltwise = Eltwise::ADD;
  d.inputLeftShift = 20;
  d.mainMultiplier = 1, d.operandMultiplier = 2, d.resultMultiplier = 3;
  d.mainShift = 31, d.operandShift = 32, d.resultShift = 33;
  d.lut = LutMode::TABLE8, d.lutAddress = 0x40;
  d.clampAMin = -128, d.clampAMax = 127, d.clampBMin = 0, d.clampBMax = 255;
  d.zeroPointA = 7;
  expectVector(d, "01 01 03 05 02 01 01 02 00 04 2301 00000000"
                  "01 01 00 00 0600 8000 00010000 10000000"
                  "00 00 00 00 0000 FBFF 00020000 20000000"
                  "02 00 04 00 0000 0000 00030000 30000000"
                  "00 00 FDFF 00 01 01 14 01000000 02000000 03000000 1F 20 21 01 40000000"
                  "80FFFFFF 7F000000 00000000 FF000000 0700");
}

TEST(Isa, VecDescriptor) {
  VecDescriptor d;
  d.vecKind = VecKind::POOL;
  d.operation = VecOperation::AVERAGE;
  d.axis = Axis::H | Axis::W;
  d.kernelH = 7, d.kernelW = 6, d.strideH = 2, d.strideW = 3;
  d.rounding = PoolRounding::HALF_UP;
  d.microOps = 4, d.program = 0x0102;
  d.a = {DType::I8, Layout::B16, 0, 0, 1, 2, 3};
  d.output = {DType::I32, Layout::LINEAR, 0, 0, 0, 4, 5};
  d.lutAddress = 0x20, d.clampMin = -1, d.clampMax = 6, d.inputOffset = 128;
  d.scaleYN = 1, d.scaleYD = 2, d.scaleXN = 3, d.scaleXD = 4, d.offsetY = 5, d.offsetX = 6;
  d.permutation = {2, 0, 1};
  expectVector(d, "02 01 04 03 07 06 02 03 01 04 0000 02010000"
                  "00 00 00 00 0000 0100 02000000 03000000"
                  "00 00 00 00 0000 0000 00000000 00000000"
                  "03 01 00 00 0000 0000 04000000 05000000"
                  "20000000 FFFFFFFF 06000000 80000000 0100 0200 0300 0400 0500 0600 02 00 01");
}

TEST(Isa, MicroOpAndChannelEntry) {
  expectVector(MicroOp{MicroOpcode::RESCALE, 5, MicroOption::DOUBLE, uint8_t(Source::A), 40, -2},
               "08 15 10 28 FEFFFFFF");
  expectVector(ChannelEntry{-2, -1, 35, 0x40000000}, "FEFFFFFF FFFF 23 00 00000040 00000000");
}

TEST(Isa, DecodeRefusesWhatIsNotDefined) {
  const auto refusal = [](std::string_view hex) {
    auto command = decode<Command>(fromHex(hex, kCommandBytes));
    return command ? std::string("accepted") : command.error().message;
  };
  EXPECT_EQ(refusal(""), "byte 0: 0 is no Header.op");
  EXPECT_EQ(refusal("0109"), "byte 1: 9 is no Header.engine");
  EXPECT_EQ(refusal("2004"), "byte 1: MAC_RUN does not run on VEC");
  EXPECT_EQ(refusal("0105 0000 0000 0000 0000 0000 0000 0000 01"), "payload of NOP is not zero");
  EXPECT_EQ(refusal("0305 0000 0000 0000 0000 0000 0000 0000 08"),
            "payload byte 0: Signal.region is 8, not 0 to 7");
  EXPECT_EQ(refusal("0505 0000 0000 0000 0000 0000 0000 0000 00000000 01"),
            "payload byte 4: reserved byte of End is not zero");
  auto cut = decode<Command>(Bytes(63));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, FaultCode::BAD_OPCODE);
}

TEST(Isa, DisassemblyNamesFields) {
  Dma dma;
  dma.region = 1, dma.sramAddress = 0x40, dma.n0 = 96;
  EXPECT_EQ(disassemble(Command{{Opcode::DMA_COPY, Engine::LD, 0, {0, 0, 1, 0, 0}, 3}, dma}),
            "DMA_COPY   LD  wait=[0,0,1,0,0] tag=3 region=1 mode=LOAD_LINEAR element_size=1 "
            "sram_address=0x40 n0=96 n1=1 n2=1");
}

TEST(Isa, RegisterHeaderIsPlainC) { EXPECT_EQ(mortise_ring_tail_offset(), 0x90u); }

} // namespace
} // namespace tenon::mortise
