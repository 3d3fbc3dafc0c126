// SPDX-License-Identifier: Apache-2.0
// tenon_device.hpp: streams by hand, run, damaged, and cut short.
#include "tenon_device.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tenon::device;

struct Command {
  int32_t amount;
};

/// output = input + amount + constant, by way of scratch.
void runShift(Call &call) {
  const auto input = call.input<int8_t>(0);
  const auto output = call.output<int8_t>();
  const auto scratch = call.scratch<int32_t>(0);
  const auto constant = call.constant<int32_t>(0);
  require(scratch.size() == input.size() && output.size() == input.size() && constant.size() == 1,
          "operands differ in size");
  for (size_t i = 0; i < input.size(); ++i)
    scratch[i] = input[i] + call.command<Command>().amount + constant[0];
  for (size_t i = 0; i < input.size(); ++i)
    output[i] = clampTo(scratch[i], -128, 127);
  call.cycles = 5, call.macs = input.size();
}

const Npu &npu() {
  static const Npu table = {"t", "t", 3, {{"shift", runShift}}};
  return table;
}

} // namespace

TENON_DEVICE(npu)

namespace {

/// A partition with one input and one output of 4 bytes; each part may be edited before load.
struct Stream {
  tenon_call_stream_header header{TENON_CALL_STREAM_MAGIC, 2, 2, 0};
  std::string names[2] = {"shift", ""};
  tenon_call_header shift{0, 1, 1, 4, sizeof(Command), 0};
  tenon_call_operand shiftOperands[4] = {{TENON_CALL_INPUT, 0, 0, 4},
                                         {TENON_CALL_SCRATCH, 0, 64, 4},
                                         {TENON_CALL_SCRATCH, 0, 128, 16},
                                         {TENON_CALL_CONSTANTS, 0, 64, 4}};
  Command command{10};
  tenon_call_header copy{1, 1, 1, 2, 0, 0};
  tenon_call_operand copyOperands[2] = {{TENON_CALL_SCRATCH, 0, 64, 4},
                                        {TENON_CALL_OUTPUT, 0, 0, 4}};
  uint32_t version = 3;
  size_t cut = 0; ///< bytes missing at the end

  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> all;
    add(all, &header, sizeof(header));
    for (const std::string &name : names) {
      const auto length = uint32_t(name.size());
      std::vector<uint8_t> entry(sizeof(length));
      std::memcpy(entry.data(), &length, sizeof(length));
      entry.insert(entry.end(), name.begin(), name.end());
      add(all, entry.data(), entry.size());
    }
    add(all, &shift, sizeof(shift));
    add(all, shiftOperands, sizeof(shiftOperands));
    add(all, &command, sizeof(command));
    add(all, &copy, sizeof(copy));
    add(all, copyOperands, sizeof(copyOperands));
    all.resize(all.size() - cut);
    return all;
  }

  static void add(std::vector<uint8_t> &all, const void *data, size_t size) {
    const auto *raw = static_cast<const uint8_t *>(data);
    all.insert(all.end(), raw, raw + size);
    all.resize((all.size() + 7) / 8 * 8);
  }
};

struct Outcome {
  std::string error; ///< of load or run
  int8_t output[4] = {};
  tenon_device_counters counters{};
  tenon_device_fault fault{};
};

Outcome loadAndRun(const std::vector<uint8_t> &commands, uint32_t version) {
  Outcome outcome;
  char error[200] = "";
  const tenon_device_api *api = tenon_device_v1();
  tenon_device *device = nullptr;
  EXPECT_EQ(api->open("t:", &device, error, sizeof(error)), 0);
  std::vector<uint8_t> constants(68);
  constants[64] = 100;
  const uint64_t size = 4;
  const tenon_device_code code{sizeof(code),
                               version,
                               "",
                               commands.data(),
                               commands.size(),
                               constants.data(),
                               constants.size(),
                               144,
                               &size,
                               1,
                               &size,
                               1};
  tenon_device_program *program = nullptr;
  if (api->load(device, &code, &program, error, sizeof(error)) == 0) {
    int8_t input[4] = {1, -1, 50, -128};
    const std::vector<tenon_device_buffer> in = {{input, 4}}, out = {{outcome.output, 4}};
    if (api->run(device, program, in.data(), out.data(), &outcome.counters, &outcome.fault, error,
                 sizeof(error)) != 0)
      outcome.error = error;
    api->unload(device, program);
  } else
    outcome.error = error;
  api->close(device);
  return outcome;
}

Outcome loadAndRun(const Stream &stream) { return loadAndRun(stream.bytes(), stream.version); }

TEST(DeviceHelper, RunsCallsAndCopies) {
  const Outcome outcome = loadAndRun(Stream());
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.output[0], 111);
  EXPECT_EQ(outcome.output[1], 109);
  EXPECT_EQ(outcome.output[2], 127);
  EXPECT_EQ(outcome.output[3], -18);
  EXPECT_EQ(outcome.counters.cycles, 5u);
  EXPECT_EQ(outcome.counters.macs, 4u);
}

TEST(DeviceHelper, OffersItsTarget) {
  EXPECT_STREQ(tenon_device_v1()->target, "t");
  EXPECT_STREQ(tenon_device_v1()->uri_scheme, "t");
  EXPECT_EQ(tenon_device_v1()->version, uint32_t(TENON_DEVICE_VERSION));
}

template <typename Edit> std::string errorOf(Edit edit) {
  Stream stream;
  edit(stream);
  return loadAndRun(stream).error;
}

TEST(DeviceHelper, RefusesWhatIsNoProgramOfIts) {
  EXPECT_NE(errorOf([](Stream &s) { s.version = 4; }).find("another command version"),
            std::string::npos);
  EXPECT_EQ(errorOf([](Stream &s) { s.header.magic = 1; }), "the commands are no call stream");
  EXPECT_EQ(errorOf([](Stream &s) { s.names[0] = "other"; }),
            "no function runs \"other\"; rebuild the device library");
  EXPECT_EQ(errorOf([](Stream &s) { s.shift.name = 2; }), "a call has no name");
  EXPECT_EQ(errorOf([](Stream &s) { s.shift.input_count = UINT32_MAX; }), "a call lacks operands");
  EXPECT_EQ(errorOf([](Stream &s) { s.names[0] = "a\nb"; }),
            "no function runs \"a?b\"; rebuild the device library");
  EXPECT_EQ(errorOf([](Stream &s) { s.header.call_count = UINT32_MAX; }), "the commands break off");
}

TEST(DeviceHelper, RefusesPlacesOutside) {
  const std::string outside = "a place is outside its buffer";
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[0].size = 5; }), outside);
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[0].edge = 1; }), outside);
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[0].offset = UINT64_MAX; }), outside);
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[2].offset = 132; }), outside);
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[3].offset = 65; }), outside);
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[0].region = 9; }), outside);
  EXPECT_EQ(errorOf([](Stream &s) { s.copyOperands[1] = {TENON_CALL_INPUT, 0, 0, 4}; }),
            "a call writes what is read only");
  EXPECT_EQ(errorOf([](Stream &s) { s.copyOperands[0].size = 3; }),
            "a copy has operands of two sizes");
}

TEST(DeviceHelper, FaultsNameTheirCall) {
  Stream stream;
  stream.shiftOperands[2].size = 12;
  const Outcome outcome = loadAndRun(stream);
  EXPECT_EQ(outcome.error, "call 0 (shift): operands differ in size");
  EXPECT_EQ(outcome.fault.code, 1u);
  EXPECT_STREQ(outcome.fault.name, "CALL");
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[3].offset = 62; }),
            "call 0 (shift): an operand has another type");
  EXPECT_EQ(errorOf([](Stream &s) { s.shiftOperands[3].region = TENON_CALL_SCRATCH; }),
            "call 0 (shift): an operand is missing");
  EXPECT_EQ(errorOf([](Stream &s) { s.shift.byte_count = 3; }),
            "call 0 (shift): the command is too short");
}

TEST(DeviceHelper, StreamsCutAnywhereBreakOff) {
  const size_t size = Stream().bytes().size();
  for (size_t cut = 1; cut <= size; ++cut)
    EXPECT_EQ(errorOf([&](Stream &s) { s.cut = cut; }), "the commands break off") << cut;
}

TEST(DeviceHelper, AnyDamagedByteIsHeldOff) {
  const auto bytes = Stream().bytes();
  for (size_t at = 0; at < bytes.size(); ++at)
    for (uint8_t value : {0x00, 0x01, 0x7f, 0xff}) {
      auto damaged = bytes;
      damaged[at] = value;
      loadAndRun(damaged, 3); // whatever it says: sanitizers see what it touches
    }
}

// docs/numerics.md: (v * m + r) >> s, by hand.
TEST(DeviceHelper, RescaleRoundsAsNumericsSays) {
  EXPECT_EQ(rescale(3, 1 << 30, 31, false), 2);   // 1.5 up
  EXPECT_EQ(rescale(-3, 1 << 30, 31, false), -1); // -1.5 up
  EXPECT_EQ(rescale(5, 1 << 30, 32, false), 1);   // 1.25
  EXPECT_EQ(rescale(6, 1 << 30, 32, false), 2);   // 1.5 up
  EXPECT_EQ(rescale(5, 1 << 30, 32, true), 2);    // 1.25 + 0.25 more, then up
  EXPECT_EQ(rescale(-5, 1 << 30, 32, true), -1);  // -1.25 - 0.25, then up
  EXPECT_THROW(rescale(1, 1, 0, false), Fault);
  EXPECT_THROW(rescale(1, 1, 63, false), Fault);
}

} // namespace
