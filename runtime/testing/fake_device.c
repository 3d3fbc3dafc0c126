/* SPDX-License-Identifier: Apache-2.0
 * A device for tests, in plain C like any plug-in: "fake:" runs code for target "fake".
 *
 * A command is 4 bytes {op, argument, 0, 0}. It has one input and one output of equal size:
 *   0 NOP
 *   1 ADD    out[i] = in[i] + argument + constants[0]
 *   2 FAULT  stops with HAZARD
 *   3 FAIL   stops without naming a fault
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/tenon_device.h"

enum { NOP, ADD, FAULT, FAIL, COMMAND_BYTES = 4, COMMAND_VERSION = 7 };

struct tenon_device {
  int programs; /* loaded and not unloaded; close expects none */
};

struct tenon_device_program {
  const uint8_t *commands;
  uint64_t commands_size;
  uint8_t constant;
  uint64_t size;
};

static int fail(char *error, size_t error_size, const char *text) {
  snprintf(error, error_size, "%s", text);
  return 1;
}

static int fake_open(const char *uri, tenon_device **device, char *error, size_t error_size) {
  if (strcmp(uri, "fake:") != 0)
    return fail(error, error_size, "nothing may follow fake:");
  *device = calloc(1, sizeof(**device));
  return *device ? 0 : fail(error, error_size, "out of memory");
}

static void fake_close(tenon_device *device) {
  if (device->programs)
    abort();
  free(device);
}

static const char *refuse(const tenon_device_code *code) {
  if (code->command_version != COMMAND_VERSION)
    return "commands have another version: recompile the model or update the device";
  if (strcmp(code->config, "one") != 0)
    return "code is for another configuration";
  if (code->commands_size % COMMAND_BYTES)
    return "commands break off";
  if (code->input_count != 1 || code->output_count != 1 ||
      code->input_sizes[0] != code->output_sizes[0])
    return "one input and one output of equal size are needed";
  for (uint64_t i = 0; i < code->commands_size; i += COMMAND_BYTES)
    if (((const uint8_t *)code->commands)[i] > FAIL)
      return "unknown command";
  return NULL;
}

static int fake_load(tenon_device *device, const tenon_device_code *code,
                     tenon_device_program **program, char *error, size_t error_size) {
  const char *reason = refuse(code);
  if (reason)
    return fail(error, error_size, reason);
  tenon_device_program *made = calloc(1, sizeof(*made));
  if (!made)
    return fail(error, error_size, "out of memory");
  made->commands = code->commands;
  made->commands_size = code->commands_size;
  made->constant = code->constants_size ? *(const uint8_t *)code->constants : 0;
  made->size = code->input_sizes[0];
  ++device->programs;
  *program = made;
  return 0;
}

static void fake_unload(tenon_device *device, tenon_device_program *program) {
  --device->programs;
  free(program);
}

static int stop(uint64_t index, tenon_device_fault *fault, char *error, size_t error_size) {
  fault->code = 9;
  snprintf(fault->name, sizeof(fault->name), "HAZARD");
  fault->engine = 1;
  fault->command_index = (uint32_t)index;
  fault->address = 0x40;
  return fail(error, error_size, "a FAULT command");
}

static int fake_run(tenon_device *device, tenon_device_program *program,
                    const tenon_device_buffer *inputs, const tenon_device_buffer *outputs,
                    tenon_device_counters *counters, tenon_device_fault *fault, char *error,
                    size_t error_size) {
  (void)device;
  const uint8_t *in = inputs[0].data;
  uint8_t *out = outputs[0].data;
  for (uint64_t at = 0; at < program->commands_size; at += COMMAND_BYTES) {
    uint8_t op = program->commands[at], argument = program->commands[at + 1];
    if (op == FAULT)
      return stop(at / COMMAND_BYTES, fault, error, error_size);
    if (op == FAIL)
      return fail(error, error_size, "a FAIL command");
    for (uint64_t i = 0; op == ADD && i < program->size; ++i)
      out[i] = (uint8_t)(in[i] + argument + program->constant);
    counters->cycles += 10;
  }
  counters->dram_read_bytes = counters->dram_written_bytes = program->size;
  return 0;
}

const tenon_device_api *tenon_device_v1(void) {
  static const tenon_device_api api = {
      .version = TENON_DEVICE_VERSION,
      .target = "fake",
      .uri_scheme = "fake",
      .open = fake_open,
      .close = fake_close,
      .load = fake_load,
      .unload = fake_unload,
      .run = fake_run,
  };
  return &api;
}
