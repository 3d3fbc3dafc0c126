// SPDX-License-Identifier: Apache-2.0
// The device side: what the runtime calls, on the simulated machine. A driver's would look alike.
#include "tenon_device.h"

#include <cstdio>
#include <cstring>
#include <memory>

#include "Machine.h"

struct tenon_device {
  systolic::Machine machine;
};

struct tenon_device_program {
  systolic::Sizes sizes;
  std::vector<systolic::Command> commands;
  std::unique_ptr<uint8_t[]> scratch;
  const uint8_t *constants = nullptr;
};

namespace {

/// Runs \p work; an exception becomes a line in \p error.
template <typename Work> int guarded(char *error, size_t errorSize, Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception &thrown) {
    std::snprintf(error, errorSize, "%s", thrown.what());
    return 1;
  }
}

int openDevice(const char *, tenon_device **device, char *error, size_t errorSize) {
  return guarded(error, errorSize, [&] { *device = new tenon_device(); });
}

void closeDevice(tenon_device *device) { delete device; }

int loadProgram(tenon_device *, const tenon_device_code *code, tenon_device_program **program,
                char *error, size_t errorSize) {
  return guarded(error, errorSize, [&] {
    if (code->command_version != systolic::kCommandVersion)
      throw std::runtime_error("the package has another command version; compile the model anew");
    auto made = std::make_unique<tenon_device_program>();
    made->sizes = {{code->input_sizes, code->input_sizes + code->input_count},
                   {code->output_sizes, code->output_sizes + code->output_count},
                   code->scratch_size,
                   code->constants_size};
    made->commands = systolic::readProgram(
        {static_cast<const uint8_t *>(code->commands), size_t(code->commands_size)}, made->sizes);
    made->scratch = std::make_unique<uint8_t[]>(code->scratch_size);
    made->constants = static_cast<const uint8_t *>(code->constants);
    *program = made.release();
  });
}

void unloadProgram(tenon_device *, tenon_device_program *program) { delete program; }

std::vector<uint8_t *> edges(const tenon_device_buffer *buffers,
                             const std::vector<uint64_t> &sizes) {
  std::vector<uint8_t *> bases;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (buffers[i].size < sizes[i])
      throw std::runtime_error("a buffer is smaller than the program's");
    bases.push_back(static_cast<uint8_t *>(buffers[i].data));
  }
  return bases;
}

int runProgram(tenon_device *device, tenon_device_program *program,
               const tenon_device_buffer *inputs, const tenon_device_buffer *outputs,
               tenon_device_counters *counters, tenon_device_fault *fault, char *error,
               size_t errorSize) {
  const int failed = guarded(error, errorSize, [&] {
    const systolic::Memory memory{edges(inputs, program->sizes.inputs),
                                  edges(outputs, program->sizes.outputs), program->scratch.get(),
                                  program->constants};
    const systolic::Counters counted = device->machine.run(program->commands, memory);
    counters->cycles = counted.cycles, counters->macs = counted.macs;
  });
  fault->code = uint32_t(failed);
  return failed;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const tenon_device_api *tenon_device_v1() {
  static const tenon_device_api api = {TENON_DEVICE_VERSION, "systolic",  "systolic",
                                       openDevice,           closeDevice, loadProgram,
                                       unloadProgram,        runProgram};
  return &api;
}
