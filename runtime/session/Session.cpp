// SPDX-License-Identifier: Apache-2.0
// Makes a session's steps and runs them.
#include "runtime/session/Session.h"

#include "runtime/session/DeviceSet.h"
#include "runtime/session/HostStep.h"

namespace tenon::runtime {
namespace {

/// Steps of one session, in the package's order.
class StepMaker {
public:
  StepMaker(const LoadedPackage &loaded, DeviceSet &devices) : loaded(loaded), devices(devices) {}

  Result<std::unique_ptr<Step>> make(const package::Partition &partition) {
    return partition.kind == package::CodeKind::Host ? makeHost(partition) : makeDevice(partition);
  }

private:
  Result<std::unique_ptr<Step>> makeHost(const package::Partition &partition) {
    auto image = loaded.hostImage();
    if (!image)
      return tl::unexpected(image.error());
    auto entry = (*image)->findEntry(partition.symbol);
    if (!entry)
      return tl::unexpected(entry.error());
    return std::make_unique<HostStep>(partition, *entry);
  }

  Result<std::unique_ptr<Step>> makeDevice(const package::Partition &partition) {
    auto device = devices.forTarget(partition.target);
    if (!device)
      return tl::unexpected(device.error());
    return DeviceStep::create(loaded.package, partition, *device);
  }

  const LoadedPackage &loaded;
  DeviceSet &devices;
};

} // namespace

Result<std::unique_ptr<Session>> Session::create(std::shared_ptr<const LoadedPackage> package,
                                                 const std::vector<std::string> &uris) {
  auto devices = DeviceSet::open(uris);
  if (!devices)
    return tl::unexpected(devices.error());
  auto bindings = Bindings::create(package->package);
  if (!bindings)
    return tl::unexpected(bindings.error());
  std::unique_ptr<Session> session(new Session(std::move(package), std::move(*bindings)));
  StepMaker maker(*session->package, *devices);
  for (const package::Partition &partition : session->package->package.partitions) {
    auto step = maker.make(partition);
    if (!step)
      return tl::unexpected(step.error());
    session->steps.push_back(std::move(*step));
    session->profiles.push_back({partition.target.c_str(), 0, 0, 0, 0});
  }
  return session;
}

Result<void *> Session::input(size_t index) {
  std::lock_guard lock(mutex);
  return bindings.ownInput(index);
}

Result<void *> Session::output(size_t index) {
  std::lock_guard lock(mutex);
  return bindings.ownOutput(index);
}

Result<void> Session::bindInput(size_t index, const void *data, size_t size) {
  std::lock_guard lock(mutex);
  return bindings.bindInput(index, data, size);
}

Result<void> Session::bindOutput(size_t index, void *data, size_t size) {
  std::lock_guard lock(mutex);
  return bindings.bindOutput(index, data, size);
}

Result<void> Session::runStep(size_t index) {
  auto begin = std::chrono::steady_clock::now();
  auto counters = steps[index]->run(bindings);
  if (!counters)
    return tl::unexpected(counters.error());
  auto elapsed = std::chrono::steady_clock::now() - begin;
  tenon_step_profile &profile = profiles[index];
  profile.wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
  profile.cycles = counters->cycles;
  profile.macs = counters->macs;
  profile.dram_bytes = counters->dramBytes;
  return {};
}

Result<void> Session::run() {
  std::lock_guard lock(mutex);
  if (auto ok = bindings.prepare(); !ok)
    return ok;
  for (size_t i = 0; i < steps.size(); ++i)
    if (auto ok = runStep(i); !ok)
      return ok;
  bindings.finish();
  return {};
}

Result<tenon_step_profile> Session::profile(size_t step) const {
  std::lock_guard lock(mutex);
  if (step >= profiles.size())
    return failure(TENON_INVALID_ARGUMENT, "step {} of {}", step, profiles.size());
  return profiles[step];
}

} // namespace tenon::runtime
