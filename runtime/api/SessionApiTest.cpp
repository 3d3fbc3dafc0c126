// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "runtime/api/tenon.h"
#include "runtime/testing/TestNetwork.h"

namespace tenon::runtime {
namespace {

using PackageHandle = std::unique_ptr<tenon_package, void (*)(tenon_package *)>;
using SessionHandle = std::unique_ptr<tenon_session, void (*)(tenon_session *)>;

PackageHandle open(const package::Package &value) {
  Bytes bytes = *package::write(value);
  tenon_package *package = nullptr;
  EXPECT_EQ(tenon_package_open_memory(bytes.data(), bytes.size(), &package), TENON_OK)
      << tenon_last_error();
  return {package, tenon_package_close};
}

SessionHandle createSession(const package::Package &value) {
  tenon_session *session = nullptr;
  EXPECT_EQ(tenon_session_create(open(value).get(), nullptr, 0, &session), TENON_OK)
      << tenon_last_error();
  return {session, tenon_session_destroy};
}

/// Why no session can be made.
std::string creationError(const package::Package &value, tenon_status status,
                          std::vector<const char *> devices = {}) {
  tenon_session *session = nullptr;
  EXPECT_EQ(tenon_session_create(open(value).get(), devices.data(), devices.size(), &session),
            status);
  return tenon_last_error();
}

template <typename T> T *input(const SessionHandle &session, size_t index = 0) {
  void *data = nullptr;
  EXPECT_EQ(tenon_session_input(session.get(), index, &data), TENON_OK);
  return static_cast<T *>(data);
}

template <typename T> T *output(const SessionHandle &session, size_t index = 0) {
  void *data = nullptr;
  EXPECT_EQ(tenon_session_output(session.get(), index, &data), TENON_OK);
  return static_cast<T *>(data);
}

TEST(SessionApi, RunsHostAndDeviceSteps) {
  SessionHandle session = createSession(makeNetwork());
  ASSERT_TRUE(session);
  uint8_t *in = input<uint8_t>(session);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(in) % 64, 0u);
  in[0] = 128, in[1] = 0, in[47] = 130;
  ASSERT_EQ(tenon_session_run(session.get()), TENON_OK) << tenon_last_error();
  const int8_t *out = output<int8_t>(session);
  EXPECT_EQ(out[0], 105);
  EXPECT_EQ(out[1], -23);
  EXPECT_EQ(out[47], 107);
}

TEST(SessionApi, ProfilesSteps) {
  SessionHandle session = createSession(makeNetwork());
  ASSERT_EQ(tenon_session_run(session.get()), TENON_OK);
  ASSERT_EQ(tenon_session_step_count(session.get()), 2u);
  tenon_step_profile profile;
  ASSERT_EQ(tenon_session_step(session.get(), 0, &profile), TENON_OK);
  EXPECT_STREQ(profile.target, "host");
  EXPECT_EQ(profile.cycles, 0u);
  ASSERT_EQ(tenon_session_step(session.get(), 1, &profile), TENON_OK);
  EXPECT_STREQ(profile.target, "fake");
  EXPECT_EQ(profile.cycles, 20u);
  EXPECT_EQ(profile.dram_bytes, 96u);
  EXPECT_EQ(tenon_session_step(session.get(), 2, &profile), TENON_INVALID_ARGUMENT);
}

TEST(SessionApi, UsesTheCallersMemory) {
  SessionHandle session = createSession(makeNetwork());
  std::vector<uint8_t> in(48, 129);
  std::vector<int8_t> out(48, 0);
  ASSERT_EQ(tenon_session_bind_input(session.get(), 0, in.data(), in.size()), TENON_OK);
  ASSERT_EQ(tenon_session_bind_output(session.get(), 0, out.data(), out.size()), TENON_OK);
  ASSERT_EQ(tenon_session_run(session.get()), TENON_OK);
  EXPECT_EQ(out, std::vector<int8_t>(48, 106));
  ASSERT_EQ(tenon_session_bind_output(session.get(), 0, nullptr, 0), TENON_OK);
  in.assign(48, 130);
  ASSERT_EQ(tenon_session_run(session.get()), TENON_OK);
  EXPECT_EQ(output<int8_t>(session)[5], 107);
  EXPECT_EQ(out[5], 106);
}

TEST(SessionApi, RefusesMemoryThatDoesNotFit) {
  SessionHandle session = createSession(makeNetwork());
  uint8_t memory[49];
  EXPECT_EQ(tenon_session_bind_input(session.get(), 0, memory, 49), TENON_INVALID_ARGUMENT);
  EXPECT_STREQ(tenon_last_error(), "input 0 \"in\" has 48 bytes, the caller's memory 49");
  EXPECT_EQ(tenon_session_bind_output(session.get(), 1, memory, 48), TENON_INVALID_ARGUMENT);
  EXPECT_STREQ(tenon_last_error(), "output 1 of 1");
}

TEST(SessionApi, RefusesMisalignedMemory) {
  SessionHandle session = createSession(makeHostNetwork());
  alignas(4) uint8_t memory[20];
  EXPECT_EQ(tenon_session_bind_output(session.get(), 0, memory + 1, 16), TENON_INVALID_ARGUMENT);
  EXPECT_STREQ(tenon_last_error(), "output 0 \"out\": memory is not aligned for float32");
}

TEST(SessionApi, HostCodeReachesTheMathLibrary) {
  SessionHandle session = createSession(makeHostNetwork());
  input<uint8_t>(session)[2] = 131;
  ASSERT_EQ(tenon_session_run(session.get()), TENON_OK);
  EXPECT_FLOAT_EQ(output<float>(session)[2], 20.0855369f);
}

// Outputs: the input itself, a tensor twice, one that nothing feeds.
TEST(SessionApi, OddOutputs) {
  package::Package network = makeNetwork();
  network.tensors.push_back({"fixed", package::ElementType::F32, {4}, 0, 0, 0});
  network.partitions.push_back(makeHostPartition("constants", {}, {3}));
  network.outputs = {0, 2, 3, 2, 1};
  SessionHandle session = createSession(network);
  std::vector<int8_t> repeated(48);
  ASSERT_EQ(tenon_session_bind_output(session.get(), 3, repeated.data(), 48), TENON_OK);
  input<uint8_t>(session)[7] = 200;
  ASSERT_EQ(tenon_session_run(session.get()), TENON_OK) << tenon_last_error();
  EXPECT_EQ(output<uint8_t>(session, 0)[7], 200);
  EXPECT_EQ(output<int8_t>(session, 1)[7], int8_t(72 + 105));
  EXPECT_EQ(output<float>(session, 2)[3], 4.0f);
  EXPECT_EQ(repeated[7], int8_t(72 + 105));
  EXPECT_EQ(output<int8_t>(session, 4)[7], 72);
}

TEST(SessionApi, FaultsNameTheModelsOperator) {
  package::Package network = makeNetwork();
  network.partitions[1].commands = {0, 0, 0, 0, 2, 0, 0, 0};
  SessionHandle session = createSession(network);
  EXPECT_EQ(tenon_session_run(session.get()), TENON_DEVICE_FAULT);
  EXPECT_STREQ(tenon_last_error(), "device fault HAZARD at command 1 (operator 12 \"conv_3\" "
                                   "(CONV_2D)): a FAULT command");
}

TEST(SessionApi, FaultsWithoutAnOperatorNameTheCommand) {
  package::Package network = makeNetwork();
  network.partitions[1].commands = {2, 0, 0, 0};
  SessionHandle session = createSession(network);
  EXPECT_EQ(tenon_session_run(session.get()), TENON_DEVICE_FAULT);
  EXPECT_STREQ(tenon_last_error(), "device fault HAZARD at command 0: a FAULT command");
}

TEST(SessionApi, DeviceFailuresWithoutAFault) {
  package::Package network = makeNetwork();
  network.partitions[1].commands = {3, 0, 0, 0};
  SessionHandle session = createSession(network);
  EXPECT_EQ(tenon_session_run(session.get()), TENON_DEVICE_FAULT);
  EXPECT_STREQ(tenon_last_error(), "device failed in partition for fake: a FAIL command");
}

TEST(SessionApi, HostCodeMayGiveUp) {
  package::Package network = makeNetwork();
  network.partitions[0].symbol = "gives_up";
  SessionHandle session = createSession(network);
  EXPECT_EQ(tenon_session_run(session.get()), TENON_OUT_OF_MEMORY);
  EXPECT_STREQ(tenon_last_error(), "host code \"gives_up\" gave up with status 12");
}

TEST(SessionCreation, RefusesForbiddenImports) {
  package::Package network = makeNetwork();
  network.hostCode = {makeHostCode(kForbiddenImport)};
  EXPECT_EQ(creationError(network, TENON_BAD_PACKAGE),
            "host code: imports \"system\", which host code may not");
}

TEST(SessionCreation, RefusesOtherMachinesCode) {
  package::Package network = makeNetwork();
  network.hostCode[0].triple = "riscv64-unknown-linux-gnu";
  EXPECT_NE(creationError(network, TENON_BAD_PACKAGE).find("host code is for riscv64"),
            std::string::npos);
  network.hostCode.push_back(makeHostCode());
  EXPECT_TRUE(createSession(network));
}

TEST(SessionCreation, RefusesMissingEntries) {
  package::Package network = makeNetwork();
  network.partitions[0].symbol = "nowhere";
  EXPECT_EQ(creationError(network, TENON_BAD_PACKAGE), "host code has no entry \"nowhere\"");
}

TEST(SessionCreation, RefusesWhatTheDeviceRefuses) {
  package::Package network = makeNetwork();
  network.partitions[1].deviceAbi = 8;
  EXPECT_EQ(creationError(network, TENON_BAD_PACKAGE),
            "device refuses partition for fake: commands have another version: recompile the model "
            "or update the device");
}

TEST(SessionCreation, FindsDevices) {
  EXPECT_NE(creationError(makeNetwork(), TENON_NO_DEVICE, {"nix:"}).find("no device answers"),
            std::string::npos);
  EXPECT_EQ(creationError(makeNetwork(), TENON_NO_DEVICE, {"fake:x"}),
            "device \"fake:x\": nothing may follow fake:");
  EXPECT_EQ(creationError(makeNetwork(), TENON_INVALID_ARGUMENT, {"fake:", "fake:"}),
            "device \"fake:\": another device serves target fake already");
  package::Package network = makeNetwork();
  network.partitions[1].target = "other";
  EXPECT_NE(
      creationError(network, TENON_NO_DEVICE).find("no device runs code for target \"other\""),
      std::string::npos);
}

TEST(DeviceKinds, AreListedWithTheirOrigin) {
  bool found = false;
  tenon_device_kind_info info;
  for (size_t i = 0; i < tenon_device_kind_count(); ++i) {
    ASSERT_EQ(tenon_device_kind(i, &info), TENON_OK);
    found |= std::string(info.uri_scheme) == "fake" && std::string(info.target) == "fake" &&
             std::string(info.origin).ends_with(".so");
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(tenon_device_kind(tenon_device_kind_count(), &info), TENON_INVALID_ARGUMENT);
}

} // namespace
} // namespace tenon::runtime
