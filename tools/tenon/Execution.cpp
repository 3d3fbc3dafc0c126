// SPDX-License-Identifier: Apache-2.0
// The runtime's exceptions end here.
#include "tools/tenon/Execution.h"

#include <chrono>

#include "runtime/api/tenon.hpp"

namespace tenon::cli {
namespace {

using package::ElementType;

ElementType typeOf(tenon_type type) {
  switch (type) {
  case TENON_INT8:
    return ElementType::I8;
  case TENON_UINT8:
    return ElementType::U8;
  case TENON_INT16:
    return ElementType::I16;
  case TENON_INT32:
    return ElementType::I32;
  case TENON_INT64:
    return ElementType::I64;
  case TENON_FLOAT16:
    return ElementType::F16;
  case TENON_FLOAT32:
    return ElementType::F32;
  case TENON_FLOAT64:
    return ElementType::F64;
  case TENON_BOOL:
    return ElementType::Bool;
  }
  return ElementType::U8;
}

std::vector<Array> makeOutputs(const RuntimePackage &package) {
  std::vector<Array> outputs;
  for (size_t i = 0; i < package.outputCount(); ++i) {
    const tenon_tensor_info info = package.output(i);
    outputs.push_back(
        {typeOf(info.type), {info.shape, info.shape + info.rank}, Bytes(info.size_bytes)});
  }
  return outputs;
}

void fetch(RuntimeSession &session, std::vector<Array> &outputs) {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].data.empty())
      std::memcpy(outputs[i].data.data(), session.output(i), outputs[i].data.size());
}

std::vector<StepCost> costsOf(const RuntimeSession &session) {
  std::vector<StepCost> steps;
  for (const tenon_step_profile &step : session.profile())
    steps.push_back(
        {step.target, double(step.wall_ns) / 1e6, step.cycles, step.macs, step.dram_bytes});
  return steps;
}

ExecutionResult executeOrThrow(ByteSpan bytes, const std::vector<Array> &inputs,
                               const std::vector<std::string> &devices) {
  const RuntimePackage package = RuntimePackage::open(bytes);
  RuntimeSession session(package, devices);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].data.empty())
      std::memcpy(session.input(i), inputs[i].data.data(), inputs[i].data.size());
  ExecutionResult result;
  result.outputs = makeOutputs(package);
  const auto start = std::chrono::steady_clock::now();
  session.run();
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  result.milliseconds = elapsed.count();
  fetch(session, result.outputs);
  result.steps = costsOf(session);
  return result;
}

} // namespace

Expected<ExecutionResult> execute(ByteSpan bytes, const std::vector<Array> &inputs,
                                  const std::vector<std::string> &devices) {
  try {
    return executeOrThrow(bytes, inputs, devices);
  } catch (const RuntimeError &error) {
    return fail("{}", error.what());
  }
}

} // namespace tenon::cli
