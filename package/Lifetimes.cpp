// SPDX-License-Identifier: Apache-2.0
// Follows a package's schedule to find when each tensor is alive.
#include "package/Lifetimes.h"

namespace tenon::package {
namespace {

class Schedule {
public:
  explicit Schedule(const Package &package) : package(package) {
    lifetimes.producedAt.assign(package.tensors.size(), Lifetimes::kNever);
    lifetimes.lastUsedAt.assign(package.tensors.size(), 0);
    lifetimes.isOutput.assign(package.tensors.size(), false);
  }
  Expected<void> addInputs();
  Expected<void> addStep(const Partition &partition, uint32_t step);
  Expected<void> addOutputs();

  Lifetimes lifetimes;

private:
  Expected<void> checkIndex(const char *what, uint32_t tensor) const {
    if (tensor < package.tensors.size())
      return {};
    return fail("{} tensor {} of {}", what, tensor, package.tensors.size());
  }
  /// Fails unless \p tensor exists and has been made.
  Expected<void> checkMade(const char *what, uint32_t tensor) const {
    if (auto ok = checkIndex(what, tensor); !ok)
      return ok;
    if (lifetimes.producedAt[tensor] == Lifetimes::kNever)
      return fail("{} tensor {}, which nothing before it makes", what, tensor);
    return {};
  }

  const Package &package;
};

Expected<void> Schedule::addInputs() {
  for (uint32_t input : package.inputs) {
    if (auto ok = checkIndex("input is", input); !ok)
      return ok;
    if (lifetimes.producedAt[input] == 0)
      return fail("tensor {} is an input twice", input);
    lifetimes.producedAt[input] = 0;
  }
  return {};
}

Expected<void> Schedule::addStep(const Partition &partition, uint32_t step) {
  for (uint32_t input : partition.inputs) {
    if (auto ok = checkMade("reads", input); !ok)
      return ok;
    lifetimes.lastUsedAt[input] = step;
  }
  for (uint32_t output : partition.outputs) {
    if (auto ok = checkIndex("makes", output); !ok)
      return ok;
    if (lifetimes.producedAt[output] != Lifetimes::kNever)
      return fail("makes tensor {}, which is there already", output);
    lifetimes.producedAt[output] = lifetimes.lastUsedAt[output] = step;
  }
  return {};
}

Expected<void> Schedule::addOutputs() {
  for (uint32_t output : package.outputs) {
    if (auto ok = checkMade("output is", output); !ok)
      return ok;
    lifetimes.isOutput[output] = true;
  }
  return {};
}

} // namespace

Expected<Lifetimes> findLifetimes(const Package &package) {
  Schedule schedule(package);
  if (auto ok = schedule.addInputs(); !ok)
    return tl::unexpected(ok.error());
  for (uint32_t i = 0; i < package.partitions.size(); ++i)
    if (auto ok = schedule.addStep(package.partitions[i], i + 1); !ok)
      return fail(ok.error(), fmt::format("partition {}", i));
  if (auto ok = schedule.addOutputs(); !ok)
    return tl::unexpected(ok.error());
  return std::move(schedule.lifetimes);
}

} // namespace tenon::package
