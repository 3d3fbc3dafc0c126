// SPDX-License-Identifier: Apache-2.0
// The C interface of a device over SimProgram; no exception leaves it.
#include "runtime/device/sim/SimDevice.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "runtime/device/sim/SimProgram.h"

struct tenon_device {};
struct tenon_device_program {
  std::unique_ptr<tenon::runtime::SimProgram> program;
};

namespace tenon::runtime {
namespace {

constexpr const char *kScheme = "sim";

/// Where a call leaves its line.
struct ErrorBuffer {
  char *text;
  size_t size;

  int set(std::string_view line) const {
    if (size == 0)
      return 1;
    const size_t length = std::min(line.size(), size - 1);
    std::memcpy(text, line.data(), length);
    text[length] = '\0';
    return 1;
  }
};

/// Runs \p body, whose result is 0 or 1; an exception becomes the call's failure.
template <typename Body> int guarded(const ErrorBuffer &error, Body body) {
  try {
    return body();
  } catch (const std::exception &exception) {
    return error.set(exception.what());
  }
}

int open(const char *uri, tenon_device **device, char *text, size_t size) {
  const ErrorBuffer error{text, size};
  return guarded(error, [&] {
    if (std::string_view(uri) != std::string(kScheme) + ":")
      return error.set(fmt::format("the simulator takes no address; write {}:", kScheme));
    *device = new tenon_device;
    return 0;
  });
}

void close(tenon_device *device) { delete device; }

int load(tenon_device *, const tenon_device_code *code, tenon_device_program **program, char *text,
         size_t size) {
  const ErrorBuffer error{text, size};
  return guarded(error, [&] {
    auto loaded = SimProgram::load(*code);
    if (!loaded)
      return error.set(loaded.error().message);
    *program = new tenon_device_program{std::move(*loaded)};
    return 0;
  });
}

void unload(tenon_device *, tenon_device_program *program) { delete program; }

void report(const simulator::Fault &from, tenon_device_fault *to) {
  if (!to || to->struct_size < sizeof(*to))
    return;
  to->code = uint32_t(from.code);
  std::strncpy(to->name, mortise::nameOf(from.code), sizeof(to->name) - 1);
  to->engine = uint32_t(from.engine);
  to->layer_tag = from.layerTag;
  to->command_index = from.command;
  to->address = from.address;
}

void report(const timing::Timeline &from, tenon_device_counters *to) {
  if (!to || to->struct_size < sizeof(*to))
    return;
  to->cycles = from.cycles;
  to->macs = from.macs;
  to->dram_read_bytes = from.dramRead;
  to->dram_written_bytes = from.dramWritten;
}

int run(tenon_device *, tenon_device_program *handle, const tenon_device_buffer *inputs,
        const tenon_device_buffer *outputs, tenon_device_counters *counters,
        tenon_device_fault *fault, char *text, size_t size) {
  const ErrorBuffer error{text, size};
  return guarded(error, [&] {
    SimProgram &program = *handle->program;
    if (program.fault()) {
      report(*program.fault(), fault);
      return error.set(program.fault()->message);
    }
    if (auto ran = program.run(inputs, outputs); !ran)
      return error.set(ran.error().message);
    report(program.timeline(), counters);
    return 0;
  });
}

} // namespace

const tenon_device_api *simDevice() {
  static const tenon_device_api api = {
      .version = TENON_DEVICE_VERSION,
      .target = "mortise",
      .uri_scheme = kScheme,
      .open = open,
      .close = close,
      .load = load,
      .unload = unload,
      .run = run,
  };
  return &api;
}

} // namespace tenon::runtime
