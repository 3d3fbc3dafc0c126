// SPDX-License-Identifier: Apache-2.0
// Stream containers: what the builder writes the reader finds, and damage is named.
#include "hardware/mortise/Stream.h"

#include <gtest/gtest.h>

namespace tenon::mortise {
namespace {

Bytes smallStream() {
  StreamBuilder builder;
  VecDescriptor descriptor;
  const MicroOp program[] = {{MicroOpcode::ADD, 0, 0, uint8_t(Source::A), uint8_t(Source::IMM), 5}};
  descriptor.microOps = 1;
  descriptor.program = builder.addProgram(program);
  VecRun run;
  run.descriptor = builder.addDescriptor(descriptor);
  const uint64_t done = builder.add(Opcode::VEC_RUN, Engine::VEC, run, 1);
  builder.add(Opcode::END, Engine::CP, End{}, 1, Waits{}.on(Engine::VEC, done));
  return builder.finish(*loadConfig("tiny"));
}

TEST(Stream, ReaderFindsWhatTheBuilderWrote) {
  const Bytes bytes = smallStream();
  auto stream = readStream(bytes);
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ(stream->configHash, hashOf(*loadConfig("tiny")));
  EXPECT_EQ(stream->commandCount(), 2u);
  EXPECT_EQ(stream->command(1)->header.wait[size_t(Engine::VEC)], 1);
  auto program = stream->program(*stream->vecDescriptor(0));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->at(0).immediate, 5);
  EXPECT_EQ(stream->command(2).error().code, FaultCode::REGION_RANGE);
  EXPECT_EQ(stream->macDescriptor(0).error().code, FaultCode::BAD_DESC);
}

TEST(Stream, EqualDescriptorsAndProgramsAreStoredOnce) {
  StreamBuilder builder;
  EXPECT_EQ(builder.addDescriptor(MacDescriptor{}), 0);
  EXPECT_EQ(builder.addDescriptor(VecDescriptor{}), 1);
  EXPECT_EQ(builder.addDescriptor(MacDescriptor{}), 0);
  const MicroOp program[] = {{}, {}};
  EXPECT_EQ(builder.addProgram(program), 0u);
  EXPECT_EQ(builder.addProgram(program), 0u);
}

TEST(Stream, OldWaitsStayInReachOfSixteenBits) {
  StreamBuilder builder;
  for (int i = 0; i < 40000; ++i)
    builder.add(Opcode::DMA_FILL, Engine::LD, Dma{}, 0);
  builder.add(Opcode::END, Engine::CP, End{}, 0);
  const Bytes bytes = builder.finish(*loadConfig("tiny"));
  EXPECT_EQ(readStream(bytes)->command(40000)->header.wait[0], 40000 - 32767);
}

TEST(Stream, DamageIsNamed) {
  const auto refusal = [](Bytes bytes, size_t at, uint8_t value) {
    bytes[at] = value;
    auto stream = readStream(bytes);
    return stream ? std::string("accepted") : stream.error().message;
  };
  const Bytes bytes = smallStream();
  EXPECT_EQ(refusal(bytes, 0, 0), "byte 0: no Mortise stream");
  EXPECT_EQ(refusal(bytes, 6, 9),
            "byte 6: stream has command version 9, this device 1; update the device");
  EXPECT_EQ(refusal(bytes, 36, 1), "section COMMANDS: offset 1 or size 128 is odd");
  EXPECT_EQ(refusal(bytes, 42, 1), "section COMMANDS: bytes 128 to 65792 lie past the end at 392");
  EXPECT_FALSE(readStream(ByteSpan(bytes).first(100)));
  EXPECT_FALSE(readStream(ByteSpan(bytes).first(390)));
}

TEST(Stream, DisassemblyCoversAllSections) {
  const Bytes bytes = smallStream();
  const std::string text = disassemble(*readStream(bytes));
  EXPECT_NE(text.find("     0: VEC_RUN"), std::string::npos);
  EXPECT_NE(text.find("descriptor 0: kind=VEC vec_kind=ELEMENTWISE"), std::string::npos);
  EXPECT_NE(text.find("micro-op 0: ADD dst=R0 option=0 src_a=A src_b=IMM immediate=5"),
            std::string::npos);
}

} // namespace
} // namespace tenon::mortise
