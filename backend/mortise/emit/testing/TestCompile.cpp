// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/emit/testing/TestCompile.h"

#include "backend/mortise/emit/testing/LayerReference.h"
#include "hardware/mortise/EdgeLayout.h"

namespace tenon::mortise::testing {
namespace {

std::vector<Bytes> expectedTensors(const LayerGraph &graph, const Job &job) {
  const EdgeLayout layout(graph.inputBytes);
  std::vector<Bytes> tensors;
  for (const LayerTensor &tensor : graph.tensors) {
    Bytes bytes(tensor.sizeBytes());
    if (tensor.home == Home::Input)
      std::copy_n(job.inputs.begin() + ptrdiff_t(layout.offsets[tensor.edge]), bytes.size(),
                  bytes.begin());
    tensors.push_back(std::move(bytes));
  }
  computeLayers(graph, tensors);
  return tensors;
}

} // namespace

Config smallMachine(uint32_t sramBytes) {
  Config config = *loadConfig("tiny");
  config.name = "smaller";
  config.sramBytes = sramBytes;
  return config;
}

Job jobOf(const LayerGraph &graph, const EmittedPartition &partition, uint32_t seed) {
  std::mt19937 random(seed);
  Job job;
  job.constants = partition.constants, job.scratchBytes = partition.scratchBytes;
  job.inputs.resize(EdgeLayout(graph.inputBytes).sizeBytes);
  job.outputs.assign(EdgeLayout(graph.outputBytes).sizeBytes, 0xa5);
  for (uint8_t &byte : job.inputs)
    byte = uint8_t(random());
  return job;
}

std::string compareOutputs(const LayerGraph &graph, const Job &job) {
  const EdgeLayout layout(graph.outputBytes);
  const std::vector<Bytes> expected = expectedTensors(graph, job);
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    const LayerTensor &tensor = graph.tensors[i];
    for (size_t at = 0; tensor.home == Home::Output && !tensor.aliasOf && at < expected[i].size();
         ++at)
      if (const uint8_t there = job.outputs[layout.offsets[tensor.edge] + at];
          there != expected[i][at])
        return fmt::format("{}: byte {} is {}, not {}", tensor.name, at, there, expected[i][at]);
  }
  return {};
}

std::string runAndCompare(const LayerGraph &graph, const Config &config, uint32_t seed,
                          const CompileOptions &options) {
  auto partition = compileLayers(graph, config, options);
  if (!partition)
    return partition.error().message;
  Job job = jobOf(graph, *partition, seed);
  const Fault fault = interpret(partition->commands, config, job);
  return fault.code == FaultCode::NONE ? compareOutputs(graph, job) : fault.message;
}

} // namespace tenon::mortise::testing
