// SPDX-License-Identifier: Apache-2.0
// A device partition: a program loaded on a device.
#pragma once
#include <memory>

#include "runtime/device/tenon_device.h"
#include "runtime/session/Step.h"

namespace tenon::runtime {

/// An open device, closed with its last program.
class DeviceHandle {
public:
  /// Fails with TENON_NO_DEVICE and the device's own reason.
  static Result<std::shared_ptr<DeviceHandle>> open(const tenon_device_api &api,
                                                    const std::string &uri);
  ~DeviceHandle() { api.close(device); }
  DeviceHandle(const DeviceHandle &) = delete;
  DeviceHandle &operator=(const DeviceHandle &) = delete;

  const tenon_device_api &api;
  tenon_device *const device;

private:
  DeviceHandle(const tenon_device_api &api, tenon_device *device) : api(api), device(device) {}
};

class DeviceStep : public Step {
public:
  /// Loads \p package's \p partition. Fails with TENON_BAD_PACKAGE and the device's reason.
  static Result<std::unique_ptr<DeviceStep>> create(const package::Package &package,
                                                    const package::Partition &partition,
                                                    std::shared_ptr<DeviceHandle> device);
  ~DeviceStep() override { device->api.unload(device->device, program); }

  Result<StepCounters> run(const Bindings &bindings) override;

private:
  DeviceStep(const package::Package &package, const package::Partition &partition,
             std::shared_ptr<DeviceHandle> device, tenon_device_program *program)
      : package(package), partition(partition), device(std::move(device)), program(program) {}

  std::vector<tenon_device_buffer> gather(const Bindings &bindings,
                                          const std::vector<uint32_t> &tensors) const;

  const package::Package &package;
  const package::Partition &partition;
  std::shared_ptr<DeviceHandle> device;
  tenon_device_program *program;
};

/// "device fault HAZARD at command 17 (operator 12 "conv_3" (CONV_2D))": the debug table turns the
/// command into the model's operators.
std::string describeFault(const package::Package &package, const package::Partition &partition,
                          const tenon_device_fault &fault);

} // namespace tenon::runtime
