// SPDX-License-Identifier: Apache-2.0
// Packages made of host_code.c and fake_device.c, for tests.
#pragma once
#include <cstdlib>

#include "hostkernels/HostCpu.h"
#include "package/Package.h"
#include "support/Files.h"

namespace tenon::runtime {

inline constexpr const char *kHostCode = TENON_TEST_HOST_CODE;
inline constexpr const char *kForbiddenImport = TENON_TEST_FORBIDDEN_IMPORT;

/// Makes "fake:" known; must run before the first session is created.
inline void useFakeDevice() { setenv("TENON_DEVICE_PATH", TENON_TEST_FAKE_DEVICE, 1); }

/// \p image is a file.
inline package::HostCode makeHostCode(const char *image = kHostCode) {
  return {std::string(hostkernels::findCpuLevel("")->triple), "test", "", *readFile(image)};
}

inline package::Partition makeHostPartition(const std::string &symbol, std::vector<uint32_t> inputs,
                                            std::vector<uint32_t> outputs) {
  package::Partition partition;
  partition.target = "host";
  partition.symbol = symbol;
  partition.inputs = std::move(inputs);
  partition.outputs = std::move(outputs);
  return partition;
}

/// \p commands as fake_device.c describes them; the constant is 100.
inline package::Partition makeFakePartition(Bytes commands, uint32_t input, uint32_t output) {
  package::Partition partition;
  partition.target = "fake";
  partition.kind = package::CodeKind::Device;
  partition.inputs = {input};
  partition.outputs = {output};
  partition.commands = std::move(commands);
  partition.constants = {100};
  partition.deviceConfig = "one";
  partition.deviceAbi = 7;
  return partition;
}

/// u8 "in" -> host: - 128 -> i8 "mid" -> fake: + 5 + 100 -> i8 "out". The device's command 1 is
/// the model's operator 12.
inline package::Package makeNetwork() {
  package::Package package;
  package.compilerVersion = "0.1.0";
  package.modelName = "test.tflite";
  package.tensors = {{"in", package::ElementType::U8, {1, 4, 4, 3}, 0.5, 128, 0},
                     {"mid", package::ElementType::I8, {1, 4, 4, 3}, 0.5, 0, 0},
                     {"out", package::ElementType::I8, {1, 4, 4, 3}, 0.25, -3, 0}};
  package.arenaBytes = 64;
  package.inputs = {0};
  package.outputs = {2};
  package.operators = {{3, "QUANTIZE", "mid"}, {12, "CONV_2D", "conv_3"}};
  package.hostCode = {makeHostCode()};
  package.partitions = {makeHostPartition("to_int8", {0}, {1}),
                        makeFakePartition({0, 0, 0, 0, 1, 5, 0, 0}, 1, 2)};
  package.partitions[1].debug = {{0, 1, {}}, {1, 2, {12}}};
  return package;
}

/// u8 "in" -> host: - 128 -> i8 "mid" -> host: e to the power of the first four -> f32 "out".
inline package::Package makeHostNetwork() {
  package::Package package = makeNetwork();
  package.tensors[2] = {"out", package::ElementType::F32, {4}, 0, 0, 0};
  package.partitions[1] = makeHostPartition("exponentials", {1}, {2});
  return package;
}

} // namespace tenon::runtime
