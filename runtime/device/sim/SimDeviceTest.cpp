// SPDX-License-Identifier: Apache-2.0
// The simulated chip through the C interface, as the runtime sees it.
#include "runtime/device/sim/SimDevice.h"

#include <gtest/gtest.h>

#include "hardware/mortise/EdgeLayout.h"
#include "simulator/testing/TestJob.h"

namespace tenon::runtime {
namespace {

using namespace mortise;
using simulator::testing::TestJob;

/// Copies \p bytes from offset 0 of region 3 to offset 0 of region 4 by way of SRAM.
Bytes copyStream(TestJob &job, uint32_t bytes, bool waits = true) {
  Dma load, store;
  load.region = 3, load.mode = DmaMode::LOAD_LINEAR, load.n0 = bytes;
  store.region = 4, store.mode = DmaMode::STORE_LINEAR, store.n0 = bytes;
  job.move(Engine::LD, load);
  job.move(Engine::ST, store, waits ? Waits().on(Engine::LD, 1) : Waits(), false, 7);
  return job.finish();
}

class SimDeviceTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(api.open("sim:", &device, error, sizeof(error)), 0) << error;
    code.struct_size = sizeof(code);
    code.command_version = kCommandVersion;
    code.config = config.c_str();
  }
  void TearDown() override {
    if (program)
      api.unload(device, program);
    api.close(device);
  }

  int load(const Bytes &stream, const std::vector<uint64_t> &inputs,
           const std::vector<uint64_t> &outputs) {
    code.commands = stream.data(), code.commands_size = stream.size();
    code.input_sizes = inputs.data(), code.input_count = inputs.size();
    code.output_sizes = outputs.data(), code.output_count = outputs.size();
    return api.load(device, &code, &program, error, sizeof(error));
  }

  int run(std::vector<Bytes> &inputs, std::vector<Bytes> &outputs) {
    std::vector<tenon_device_buffer> in, out;
    for (Bytes &bytes : inputs)
      in.push_back({bytes.data(), bytes.size()});
    for (Bytes &bytes : outputs)
      out.push_back({bytes.data(), bytes.size()});
    counters.struct_size = sizeof(counters), fault.struct_size = sizeof(fault);
    return api.run(device, program, in.data(), out.data(), &counters, &fault, error, sizeof(error));
  }

  const tenon_device_api &api = *simDevice();
  TestJob job;
  std::string config = toJson(job.config);
  tenon_device *device = nullptr;
  tenon_device_program *program = nullptr;
  tenon_device_code code{};
  tenon_device_counters counters{};
  tenon_device_fault fault{};
  char error[512] = "";
};

TEST_F(SimDeviceTest, OneTensorIsReadAndWrittenInPlace) {
  const Bytes stream = copyStream(job, 64);
  ASSERT_EQ(load(stream, {64}, {64}), 0) << error;
  std::vector<Bytes> in = {Bytes(64)}, out = {Bytes(64)};
  for (size_t i = 0; i < 64; ++i)
    in[0][i] = uint8_t(3 * i);
  ASSERT_EQ(run(in, out), 0) << error;
  EXPECT_EQ(in[0], out[0]);
  EXPECT_GT(counters.cycles, 0u);
  EXPECT_EQ(counters.dram_read_bytes, 64u);
  EXPECT_EQ(counters.dram_written_bytes, 64u);
}

TEST_F(SimDeviceTest, SeveralTensorsLieAtTheirOffsets) {
  const std::vector<uint64_t> sizes = {5, 70, 1};
  const EdgeLayout layout(sizes);
  const Bytes stream = copyStream(job, uint32_t(layout.sizeBytes));
  ASSERT_EQ(load(stream, sizes, sizes), 0) << error;
  std::vector<Bytes> in = {Bytes(5, 1), Bytes(70, 2), Bytes(1, 3)};
  std::vector<Bytes> out = {Bytes(5), Bytes(70), Bytes(1)};
  ASSERT_EQ(run(in, out), 0) << error;
  EXPECT_EQ(in, out);
}

TEST_F(SimDeviceTest, AFaultIsEveryRunsResult) {
  const Bytes stream = copyStream(job, 64, false);
  ASSERT_EQ(load(stream, {64}, {64}), 0) << error;
  std::vector<Bytes> in = {Bytes(64, 1)}, out = {Bytes(64, 9)};
  for (int i = 0; i < 2; ++i) {
    EXPECT_NE(run(in, out), 0);
    EXPECT_EQ(fault.code, uint32_t(FaultCode::HAZARD));
    EXPECT_STREQ(fault.name, "HAZARD");
    EXPECT_EQ(fault.engine, uint32_t(Engine::ST));
    EXPECT_EQ(fault.layer_tag, 7u);
    EXPECT_EQ(fault.command_index, 1u);
    EXPECT_STRNE(error, "");
  }
  EXPECT_EQ(out[0], Bytes(64, 9));
}

TEST_F(SimDeviceTest, RegionsEndWhereTensorsEnd) {
  const Bytes stream = copyStream(job, 65);
  ASSERT_EQ(load(stream, {64}, {65}), 0) << error;
  std::vector<Bytes> in = {Bytes(64)}, out = {Bytes(65)};
  EXPECT_NE(run(in, out), 0);
  EXPECT_STREQ(fault.name, "REGION_RANGE");
}

TEST_F(SimDeviceTest, BuffersOfAnotherSizeAreRefused) {
  const Bytes stream = copyStream(job, 64);
  ASSERT_EQ(load(stream, {64}, {64}), 0) << error;
  std::vector<Bytes> in = {Bytes(64)}, out = {Bytes(63)};
  EXPECT_NE(run(in, out), 0);
  EXPECT_STREQ(error, "a buffer has another size than its tensor");
  EXPECT_EQ(fault.code, 0u);
}

TEST_F(SimDeviceTest, CodeItCannotServeIsRefusedAtLoad) {
  const Bytes stream = copyStream(job, 64);
  code.command_version = kCommandVersion + 1;
  EXPECT_NE(load(stream, {64}, {64}), 0);
  EXPECT_NE(std::string(error).find("update Tenon's runtime"), std::string::npos) << error;
  code.command_version = kCommandVersion;
  code.scratch_size = uint64_t(1) << 40;
  EXPECT_NE(load(stream, {64}, {64}), 0);
  EXPECT_NE(std::string(error).find("1099511627776"), std::string::npos) << error;
  code.scratch_size = 0;
  code.config = "{}";
  EXPECT_NE(load(stream, {64}, {64}), 0);
  EXPECT_EQ(std::string(error).find("configuration of the partition"), 0u) << error;
  EXPECT_EQ(program, nullptr);
}

TEST_F(SimDeviceTest, AnotherMachinesStreamIsAFault) {
  const Bytes stream = copyStream(job, 64);
  config = toJson(*loadConfig("medium"));
  code.config = config.c_str();
  ASSERT_EQ(load(stream, {64}, {64}), 0) << error;
  std::vector<Bytes> in = {Bytes(64)}, out = {Bytes(64)};
  EXPECT_NE(run(in, out), 0);
  EXPECT_STREQ(fault.name, "BAD_VERSION");
}

TEST(SimDevice, TakesNoAddress) {
  tenon_device *device = nullptr;
  char error[64] = "", tiny[4] = "";
  EXPECT_NE(simDevice()->open("sim:medium", &device, error, sizeof(error)), 0);
  EXPECT_STREQ(error, "the simulator takes no address; write sim:");
  EXPECT_NE(simDevice()->open("sim:medium", &device, tiny, sizeof(tiny)), 0);
  EXPECT_STREQ(tiny, "the");
  EXPECT_NE(simDevice()->open("sim:medium", &device, nullptr, 0), 0);
  EXPECT_EQ(device, nullptr);
}

} // namespace
} // namespace tenon::runtime
