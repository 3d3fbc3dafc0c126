// SPDX-License-Identifier: Apache-2.0
// Loads device partitions, runs them, and explains their faults.
#include "runtime/session/DeviceStep.h"

#include <algorithm>
#include <array>

namespace tenon::runtime {
namespace {

using ErrorText = std::array<char, 512>;

/// The device's line, whatever it left in the buffer.
std::string toString(ErrorText &text) {
  text.back() = '\0';
  return text[0] ? text.data() : "the device gives no reason";
}

std::vector<uint64_t> sizesOf(const package::Package &package,
                              const std::vector<uint32_t> &tensors) {
  std::vector<uint64_t> sizes;
  for (uint32_t tensor : tensors)
    sizes.push_back(*sizeOf(package.tensors[tensor]));
  return sizes;
}

std::string describeOperator(const package::Package &package, uint32_t index) {
  auto op = std::ranges::lower_bound(package.operators, index, {}, &package::Operator::index);
  return fmt::format("operator {} \"{}\" ({})", index, op->name, op->type);
}

/// The last entry that begins at or before \p command; null if none does.
const package::DebugEntry *findEntry(const package::Partition &partition, uint32_t command) {
  auto next =
      std::ranges::upper_bound(partition.debug, command, {}, &package::DebugEntry::firstCommand);
  return next == partition.debug.begin() ? nullptr : &*std::prev(next);
}

} // namespace

Result<std::shared_ptr<DeviceHandle>> DeviceHandle::open(const tenon_device_api &api,
                                                         const std::string &uri) {
  ErrorText error{};
  tenon_device *device = nullptr;
  if (api.open(uri.c_str(), &device, error.data(), error.size()) || !device)
    return failure(TENON_NO_DEVICE, "device \"{}\": {}", uri, toString(error));
  return std::shared_ptr<DeviceHandle>(new DeviceHandle(api, device));
}

Result<std::unique_ptr<DeviceStep>> DeviceStep::create(const package::Package &package,
                                                       const package::Partition &partition,
                                                       std::shared_ptr<DeviceHandle> device) {
  std::vector<uint64_t> inputSizes = sizesOf(package, partition.inputs);
  std::vector<uint64_t> outputSizes = sizesOf(package, partition.outputs);
  tenon_device_code code{};
  code.struct_size = sizeof(code);
  code.command_version = partition.deviceAbi;
  code.config = partition.deviceConfig.c_str();
  code.commands = partition.commands.data();
  code.commands_size = partition.commands.size();
  code.constants = partition.constants.data();
  code.constants_size = partition.constants.size();
  code.scratch_size = partition.scratchBytes;
  code.input_sizes = inputSizes.data();
  code.input_count = inputSizes.size();
  code.output_sizes = outputSizes.data();
  code.output_count = outputSizes.size();
  ErrorText error{};
  tenon_device_program *program = nullptr;
  if (device->api.load(device->device, &code, &program, error.data(), error.size()) || !program)
    return failure(TENON_BAD_PACKAGE, "device refuses partition for {}: {}", partition.target,
                   toString(error));
  return std::unique_ptr<DeviceStep>(
      new DeviceStep(package, partition, std::move(device), program));
}

std::vector<tenon_device_buffer> DeviceStep::gather(const Bindings &bindings,
                                                    const std::vector<uint32_t> &tensors) const {
  std::vector<tenon_device_buffer> buffers;
  for (uint32_t tensor : tensors)
    buffers.push_back({bindings.address(tensor), *sizeOf(package.tensors[tensor])});
  return buffers;
}

Result<StepCounters> DeviceStep::run(const Bindings &bindings) {
  auto inputs = gather(bindings, partition.inputs);
  auto outputs = gather(bindings, partition.outputs);
  tenon_device_counters counters{};
  counters.struct_size = sizeof(counters);
  tenon_device_fault fault{};
  fault.struct_size = sizeof(fault);
  ErrorText error{};
  if (device->api.run(device->device, program, inputs.data(), outputs.data(), &counters, &fault,
                      error.data(), error.size()))
    return failure(TENON_DEVICE_FAULT, "{}: {}", describeFault(package, partition, fault),
                   toString(error));
  return StepCounters{counters.cycles, counters.macs,
                      counters.dram_read_bytes + counters.dram_written_bytes};
}

std::string describeFault(const package::Package &package, const package::Partition &partition,
                          const tenon_device_fault &fault) {
  if (fault.code == 0)
    return fmt::format("device failed in partition for {}", partition.target);
  std::string name(fault.name, strnlen(fault.name, sizeof(fault.name)));
  std::string text = fmt::format("device fault {} at command {}", name, fault.command_index);
  const package::DebugEntry *entry = findEntry(partition, fault.command_index);
  if (!entry || entry->operators.empty())
    return text;
  std::string operators;
  for (uint32_t index : entry->operators)
    operators += (operators.empty() ? "" : ", ") + describeOperator(package, index);
  return fmt::format("{} ({})", text, operators);
}

} // namespace tenon::runtime
