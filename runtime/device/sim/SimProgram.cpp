// SPDX-License-Identifier: Apache-2.0
// Lays a job's regions out and hands them to the machine.
#include "runtime/device/sim/SimProgram.h"

#include <algorithm>
#include <cstring>

namespace tenon::runtime {
namespace {

/// Regions of a job by number (docs/mortise-reference.md).
enum Region { kCommands, kConstants, kScratch, kInputs, kOutputs };

/// More than any partition that compiles in reasonable time asks for.
constexpr uint64_t kMostScratchBytes = uint64_t(1) << 30;
/// Time a job may take on the simulated clock. A stream that waits for itself is found at load;
/// this ends those that are merely endless.
constexpr uint64_t kWatchdogSeconds = 10;

ByteSpan bytesOf(const void *data, uint64_t size) {
  return {static_cast<const uint8_t *>(data), size};
}

std::span<const uint64_t> sizesOf(const uint64_t *sizes, uint64_t count) { return {sizes, count}; }

simulator::Limits limitsOf(const tenon_device_code &code, const mortise::Config &config,
                           uint64_t inputBytes, uint64_t outputBytes) {
  simulator::Limits limits{};
  limits[kCommands] = {code.commands_size, true, false};
  limits[kConstants] = {code.constants_size, true, false};
  limits[kScratch] = {code.scratch_size, true, true};
  limits[kInputs] = {inputBytes, true, false};
  limits[kOutputs] = {outputBytes, true, true};
  limits[simulator::kSramSpace] = {config.sramBytes, true, true};
  return limits;
}

Expected<void> check(const tenon_device_code &code) {
  if (code.struct_size < sizeof(code))
    return fail("the runtime's tenon_device_code has {} bytes, this device needs {}: update the "
                "runtime",
                code.struct_size, sizeof(code));
  if (code.command_version != mortise::kCommandVersion)
    return fail("commands have version {}, this device runs {}: {}", code.command_version,
                mortise::kCommandVersion,
                code.command_version > mortise::kCommandVersion ? "update Tenon's runtime"
                                                                : "compile the model again");
  if (code.scratch_size > kMostScratchBytes)
    return fail("the partition needs {} bytes of scratch memory, the limit is {}",
                code.scratch_size, kMostScratchBytes);
  return {};
}

} // namespace

EdgeRegion::EdgeRegion(std::span<const uint64_t> sizes)
    : layout(sizes), sizes(sizes.begin(), sizes.end()),
      gathered(sizes.size() == 1 ? 0 : layout.sizeBytes) {}

uint8_t *EdgeRegion::memory(const tenon_device_buffer *buffers) {
  return sizes.size() == 1 ? static_cast<uint8_t *>(buffers[0].data) : gathered.data();
}

void EdgeRegion::copyIn(const tenon_device_buffer *buffers) {
  for (size_t i = 0; sizes.size() > 1 && i < sizes.size(); ++i)
    std::memcpy(gathered.data() + layout.offsets[i], buffers[i].data, sizes[i]);
}

void EdgeRegion::copyOut(const tenon_device_buffer *buffers) const {
  for (size_t i = 0; sizes.size() > 1 && i < sizes.size(); ++i)
    std::memcpy(buffers[i].data, gathered.data() + layout.offsets[i], sizes[i]);
}

bool EdgeRegion::fits(const tenon_device_buffer *buffers) const {
  return std::ranges::equal(sizes, std::span(buffers, sizes.size()), {}, {},
                            &tenon_device_buffer::size);
}

SimProgram::SimProgram(const tenon_device_code &code, const mortise::Config &config)
    : commands(bytesOf(code.commands, code.commands_size)),
      constants(bytesOf(code.constants, code.constants_size)),
      inputs(sizesOf(code.input_sizes, code.input_count)),
      outputs(sizesOf(code.output_sizes, code.output_count)), scratch(code.scratch_size),
      machine(config),
      program(simulator::Program::load(
          commands, config, limitsOf(code, config, inputs.sizeBytes(), outputs.sizeBytes()),
          {.watchdogCycles = kWatchdogSeconds * config.clockMhz * 1'000'000})) {}

Expected<std::unique_ptr<SimProgram>> SimProgram::load(const tenon_device_code &code) {
  if (auto ok = check(code); !ok)
    return tl::unexpected(ok.error());
  auto config = mortise::parseConfig(code.config);
  if (!config)
    return fail(config.error(), "configuration of the partition");
  return std::unique_ptr<SimProgram>(new SimProgram(code, *config));
}

Expected<void> SimProgram::run(const tenon_device_buffer *inputBuffers,
                               const tenon_device_buffer *outputBuffers) {
  if (!inputs.fits(inputBuffers) || !outputs.fits(outputBuffers))
    return fail("a buffer has another size than its tensor");
  inputs.copyIn(inputBuffers);
  // The machine never writes regions 0, 1 and 3: load refuses a stream that would.
  simulator::Regions regions{};
  regions[kCommands] = const_cast<uint8_t *>(commands.data());
  regions[kConstants] = const_cast<uint8_t *>(constants.data());
  regions[kScratch] = scratch.data();
  regions[kInputs] = inputs.memory(inputBuffers);
  regions[kOutputs] = outputs.memory(outputBuffers);
  machine.run(program, regions);
  outputs.copyOut(outputBuffers);
  return {};
}

} // namespace tenon::runtime
