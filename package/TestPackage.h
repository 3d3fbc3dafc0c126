// SPDX-License-Identifier: Apache-2.0
// A small package that uses every table, for tests.
#pragma once
#include "package/Package.h"

namespace tenon::package {

/// input 0 -> host -> tensor 1 -> device -> tensor 2 (output, also named twice); a second device
/// partition with the same constants makes tensor 3.
inline Package makeTestPackage() {
  Package package;
  package.compilerVersion = "0.1.0";
  package.modelName = "test.tflite";
  package.tensors = {{"in", ElementType::U8, {1, 4, 4, 3}, 0.5, 128, 0},
                     {"mid", ElementType::I8, {1, 4, 4, 3}, 0.5, 0, 64},
                     {"out", ElementType::I32, {1, 10}, 0, 0, 0},
                     {"side", ElementType::F32, {}, 0, 0, 0}};
  package.inputs = {0};
  package.outputs = {2, 3, 2};
  package.operators = {{0, "QUANTIZE", "mid"}, {3, "CONV_2D", "conv"}, {4, "SOFTMAX", "out"}};
  package.hostCode = {{"x86_64-linux-gnu", "x86-64", "+sse4.2", Bytes{0x7f, 'E', 'L', 'F'}}};
  package.arenaBytes = 128;
  package.irHash[0] = 0xab;
  Partition host;
  host.target = "host";
  host.symbol = "partition_0";
  host.inputs = {0};
  host.outputs = {1};
  host.operators = {0};
  Partition device;
  device.target = "mortise";
  device.kind = CodeKind::Device;
  device.inputs = {1};
  device.outputs = {2};
  device.operators = {3, 4};
  device.deviceConfig = "medium";
  device.deviceAbi = 1;
  device.commands = Bytes(128, 0x11);
  device.constants = Bytes(1000, 0x22);
  device.scratchBytes = 4096;
  device.debug = {{0, 1, {3}}, {2, 2, {4}}};
  device.costs = {{"mortise.conv2d", 1, {3}, 1000, 5000, 300}};
  Partition second = device;
  second.outputs = {3};
  second.commands = Bytes(64, 0x33);
  package.partitions = {host, device, second};
  return package;
}

} // namespace tenon::package
