/* SPDX-License-Identifier: Apache-2.0
 * The toy's device side: runs the commands that ToyCode.h describes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon_device.h"

enum { MAGIC = 0x31594f54, VERSION = 1, COMMAND_WORDS = 16 };
enum { CONSTANT, ADD, SUB, ABS, NOT, CLAMP, RESCALE, MAX_POOL };

struct tenon_device {
  int unused;
};

struct tenon_device_program {
  uint32_t *words; /* a copy of the commands */
  uint64_t word_count;
  const uint8_t *constants;
  uint64_t constants_size;
  uint32_t value_count;
  const uint32_t *counts;
  int32_t **values;
  const uint32_t *inputs, *outputs, *commands;
  uint32_t input_count, output_count, command_count;
};

static int fail(char *error, size_t size, const char *text) {
  snprintf(error, size, "%s", text);
  return 1;
}

static int toy_open(const char *uri, tenon_device **device, char *error, size_t error_size) {
  (void)uri;
  *device = calloc(1, sizeof(**device));
  return *device ? 0 : fail(error, error_size, "out of memory");
}

static void toy_close(tenon_device *device) { free(device); }

static void toy_unload(tenon_device *device, tenon_device_program *program) {
  (void)device;
  for (uint32_t i = 0; program->values && i < program->value_count; ++i)
    free(program->values[i]);
  free(program->values);
  free(program->words);
  free(program);
}

/* A list of `width` words an entry at *at; NULL if it exceeds the commands. */
static const uint32_t *read_list(const tenon_device_program *program, uint64_t *at, uint32_t width,
                                 uint32_t *count) {
  if (*at >= program->word_count)
    return NULL;
  *count = program->words[(*at)++];
  if ((program->word_count - *at) / width < *count)
    return NULL;
  const uint32_t *list = program->words + *at;
  *at += (uint64_t)*count * width;
  return list;
}

static const char *parse(tenon_device_program *program, const tenon_device_code *code) {
  uint64_t at = 1;
  if (!program->word_count || program->words[0] != MAGIC)
    return "commands have no magic";
  if (!(program->counts = read_list(program, &at, 1, &program->value_count)) ||
      !(program->inputs = read_list(program, &at, 2, &program->input_count)) ||
      !(program->outputs = read_list(program, &at, 2, &program->output_count)) ||
      !(program->commands = read_list(program, &at, COMMAND_WORDS, &program->command_count)))
    return "commands break off";
  if (program->input_count != code->input_count || program->output_count != code->output_count)
    return "inputs or outputs differ in number";
  for (uint32_t i = 0; i < program->command_count; ++i)
    for (uint32_t k = 1; k < 4; ++k)
      if (program->commands[i * COMMAND_WORDS + k] >= program->value_count)
        return "a command names no value";
  return NULL;
}

static const char *check_edges(const tenon_device_program *program, const uint32_t *edges,
                               uint32_t count, const uint64_t *sizes) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t value = edges[2 * i], width = edges[2 * i + 1];
    if (value >= program->value_count || (width != 1 && width != 2 && width != 4))
      return "an edge names no value";
    if ((uint64_t)program->counts[value] * width != sizes[i])
      return "an edge has another size";
  }
  return NULL;
}

static const char *make_values(tenon_device_program *program) {
  program->values = calloc(program->value_count + 1, sizeof(*program->values));
  if (!program->values)
    return "out of memory";
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (!(program->values[i] = calloc(program->counts[i] + 1, sizeof(int32_t))))
      return "out of memory";
  return NULL;
}

static int toy_load(tenon_device *device, const tenon_device_code *code,
                    tenon_device_program **made, char *error, size_t error_size) {
  if (code->command_version != VERSION)
    return fail(error, error_size, "commands have another version: recompile the model");
  tenon_device_program *program = calloc(1, sizeof(*program));
  if (!program || !(program->words = malloc(code->commands_size + 1))) {
    free(program);
    return fail(error, error_size, "out of memory");
  }
  memcpy(program->words, code->commands, code->commands_size);
  program->word_count = code->commands_size / sizeof(uint32_t);
  program->constants = code->constants;
  program->constants_size = code->constants_size;
  const char *reason = parse(program, code);
  if (!reason)
    reason = check_edges(program, program->inputs, program->input_count, code->input_sizes);
  if (!reason)
    reason = check_edges(program, program->outputs, program->output_count, code->output_sizes);
  if (!reason)
    reason = make_values(program);
  if (reason) {
    toy_unload(device, program);
    return fail(error, error_size, reason);
  }
  *made = program;
  return 0;
}

static int32_t clamp(int64_t v, int32_t least, int32_t most) {
  return v < least ? least : v > most ? most : (int32_t)v;
}

static int32_t rescale(int32_t v, const int32_t *p) {
  int64_t x = (int64_t)v - p[2], round = (int64_t)1 << (p[1] - 1);
  if (p[4] && p[1] > 31)
    round += x >= 0 ? 1 << 30 : -(1 << 30);
  return clamp(((x * p[0] + round) >> p[1]) + p[3], p[5], p[6]);
}

static void max_pool(const int32_t *in, int32_t *out, const int32_t *p) {
  for (int32_t y = 0; y < p[3]; ++y)
    for (int32_t x = 0; x < p[4]; ++x)
      for (int32_t c = 0; c < p[2]; ++c) {
        int32_t best = INT32_MIN;
        for (int32_t ky = 0; ky < p[5]; ++ky)
          for (int32_t kx = 0; kx < p[6]; ++kx) {
            int32_t iy = y * p[7] + ky - p[9], ix = x * p[8] + kx - p[10];
            if (iy < 0 || iy >= p[0] || ix < 0 || ix >= p[1])
              continue;
            int32_t v = in[(iy * p[1] + ix) * p[2] + c];
            best = v > best ? v : best;
          }
        out[(y * p[4] + x) * p[2] + c] = best;
      }
}

static const char *run_one(tenon_device_program *program, const uint32_t *command) {
  const int32_t *p = (const int32_t *)command + 4;
  uint32_t count = program->counts[command[1]], a_count = program->counts[command[2]];
  int32_t *out = program->values[command[1]];
  const int32_t *a = program->values[command[2]], *b = program->values[command[3]];
  switch (command[0]) {
  case CONSTANT:
    if (command[4] > program->constants_size ||
        (program->constants_size - command[4]) / sizeof(int32_t) < count)
      return "a constant exceeds the constants";
    memcpy(out, program->constants + command[4], count * sizeof(int32_t));
    return NULL;
  case MAX_POOL:
    if ((uint64_t)p[0] * p[1] * p[2] != a_count || (uint64_t)p[3] * p[4] * p[2] != count)
      return "a pool has another size";
    max_pool(a, out, p);
    return NULL;
  case RESCALE:
    if (p[1] < 1 || p[1] > 62)
      return "a shift is out of range";
  }
  if (command[0] > MAX_POOL || a_count < count ||
      (command[0] <= SUB && program->counts[command[3]] < count))
    return "a command is unknown or an operand too short";
  for (uint32_t i = 0; i < count; ++i)
    out[i] = command[0] == ADD     ? (int32_t)((uint32_t)a[i] + (uint32_t)b[i])
             : command[0] == SUB   ? (int32_t)((uint32_t)a[i] - (uint32_t)b[i])
             : command[0] == ABS   ? (a[i] < 0 ? -a[i] : a[i])
             : command[0] == NOT   ? ~a[i]
             : command[0] == CLAMP ? clamp(a[i], p[0], p[1])
                                   : rescale(a[i], p);
  return NULL;
}

/* Between memory, `width` bytes an element, and a value. */
static void transfer(uint8_t *memory, int32_t *value, uint32_t count, uint32_t width, int write) {
  for (uint32_t i = 0; i < count; ++i) {
    if (write)
      memcpy(memory + (uint64_t)i * width, &value[i], width);
    else if (width == 1)
      value[i] = (int8_t)memory[i];
    else if (width == 2)
      value[i] = ((int16_t *)memory)[i];
    else
      value[i] = ((int32_t *)memory)[i];
  }
}

static int toy_run(tenon_device *device, tenon_device_program *program,
                   const tenon_device_buffer *inputs, const tenon_device_buffer *outputs,
                   tenon_device_counters *counters, tenon_device_fault *fault, char *error,
                   size_t error_size) {
  (void)device;
  (void)fault;
  for (uint32_t i = 0; i < program->input_count; ++i) {
    const uint32_t *edge = program->inputs + 2 * i;
    transfer(inputs[i].data, program->values[edge[0]], program->counts[edge[0]], edge[1], 0);
  }
  for (uint32_t i = 0; i < program->command_count; ++i) {
    const char *reason = run_one(program, program->commands + i * COMMAND_WORDS);
    if (reason)
      return fail(error, error_size, reason);
  }
  for (uint32_t i = 0; i < program->output_count; ++i) {
    const uint32_t *edge = program->outputs + 2 * i;
    transfer(outputs[i].data, program->values[edge[0]], program->counts[edge[0]], edge[1], 1);
  }
  counters->cycles = program->command_count;
  return 0;
}

const tenon_device_api *tenon_device_v1(void) {
  static const tenon_device_api api = {
      .version = TENON_DEVICE_VERSION,
      .target = TOY_NAME,
      .uri_scheme = TOY_NAME,
      .open = toy_open,
      .close = toy_close,
      .load = toy_load,
      .unload = toy_unload,
      .run = toy_run,
  };
  return &api;
}
