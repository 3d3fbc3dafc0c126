// SPDX-License-Identifier: Apache-2.0
// A host partition: a call into the package's host code.
#pragma once
#include "runtime/session/HostImage.h"
#include "runtime/session/Step.h"

namespace tenon::runtime {

class HostStep : public Step {
public:
  /// \p partition must outlive this, and so must the image \p entry lies in.
  HostStep(const package::Partition &partition, HostEntry entry)
      : partition(partition), entry(entry) {}

  Result<StepCounters> run(const Bindings &bindings) override {
    gather(bindings, partition.inputs, inputs);
    gather(bindings, partition.outputs, outputs);
    if (int32_t status = entry(inputs.data(), outputs.data()))
      return failure(TENON_OUT_OF_MEMORY, "host code \"{}\" gave up with status {}",
                     partition.symbol, status);
    return StepCounters();
  }

private:
  static void gather(const Bindings &bindings, const std::vector<uint32_t> &tensors,
                     std::vector<void *> &addresses) {
    addresses.clear();
    for (uint32_t tensor : tensors)
      addresses.push_back(bindings.address(tensor));
  }

  const package::Partition &partition;
  HostEntry entry;
  std::vector<void *> inputs, outputs;
};

} // namespace tenon::runtime
