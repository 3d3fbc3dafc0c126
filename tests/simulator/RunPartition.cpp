// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/RunPartition.h"

namespace tenon::tests {

simulator::Limits limitsOf(ByteSpan stream, const mortise::Config &config,
                           const mortise::testing::Job &job) {
  simulator::Limits limits{};
  limits[0] = {stream.size(), true, false};
  limits[1] = {job.constants.size(), true, false};
  limits[2] = {job.scratchBytes, true, true};
  limits[3] = {job.inputs.size(), true, false};
  limits[4] = {job.outputs.size(), true, true};
  limits[simulator::kSramSpace] = {config.sramBytes, true, true};
  return limits;
}

void run(const simulator::Program &program, Bytes stream, simulator::Machine &machine,
         mortise::testing::Job &job) {
  job.scratch.assign(job.scratchBytes, job.unwritten);
  simulator::Regions regions{};
  regions[0] = stream.data();
  regions[1] = job.constants.data(), regions[2] = job.scratch.data();
  regions[3] = job.inputs.data(), regions[4] = job.outputs.data();
  machine.run(program, regions);
}

std::string wordsOf(const std::optional<simulator::Fault> &fault) {
  if (!fault)
    return {};
  return fmt::format("{} of {}, command {}, layer {}, address {}: {}", nameOf(fault->code),
                     nameOf(fault->engine), fault->command, fault->layerTag, fault->address,
                     fault->message);
}

} // namespace tenon::tests
