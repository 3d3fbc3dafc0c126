/* SPDX-License-Identifier: Apache-2.0
 * The device side of a plug-in, in plain C: what the runtime loads to reach a device.
 *
 * A library exports tenon_device_v1(). All calls on one device handle come from one thread at a
 * time. Failures return non-zero and write one line into `error` (size given, NUL-terminated).
 */
#ifndef TENON_DEVICE_H
#define TENON_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_DEVICE_VERSION 1

typedef struct tenon_device_buffer {
  void *data;
  uint64_t size;
} tenon_device_buffer;

/* A partition as the package holds it; memory stays the caller's and outlives the program. */
typedef struct tenon_device_code {
  uint32_t struct_size; /* sizeof(tenon_device_code), so that it can grow */
  uint32_t command_version;
  const char *config; /* configuration the code was made for */
  const void *commands;
  uint64_t commands_size;
  const void *constants;
  uint64_t constants_size;
  uint64_t scratch_size;
  const uint64_t *input_sizes;
  uint64_t input_count;
  const uint64_t *output_sizes;
  uint64_t output_count;
} tenon_device_code;

typedef struct tenon_device_counters {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t cycles;
  uint64_t macs;
  uint64_t dram_read_bytes;
  uint64_t dram_written_bytes;
} tenon_device_counters;

/* Where a job stopped. */
typedef struct tenon_device_fault {
  uint32_t struct_size;
  uint32_t code; /* 0: no fault */
  char name[32]; /* "HAZARD" */
  uint32_t engine;
  uint32_t layer_tag;
  uint32_t command_index;
  uint32_t reserved;
  uint64_t address;
} tenon_device_fault;

typedef struct tenon_device tenon_device;
typedef struct tenon_device_program tenon_device_program;

typedef struct tenon_device_api {
  uint32_t version;       /* TENON_DEVICE_VERSION */
  const char *target;     /* backend whose code it runs: "mortise" */
  const char *uri_scheme; /* "sim" answers "sim:..." */
  int (*open)(const char *uri, tenon_device **device, char *error, size_t error_size);
  void (*close)(tenon_device *device);
  int (*load)(tenon_device *device, const tenon_device_code *code, tenon_device_program **program,
              char *error, size_t error_size);
  void (*unload)(tenon_device *device, tenon_device_program *program);
  int (*run)(tenon_device *device, tenon_device_program *program, const tenon_device_buffer *inputs,
             const tenon_device_buffer *outputs, tenon_device_counters *counters,
             tenon_device_fault *fault, char *error, size_t error_size);
} tenon_device_api;

/* The symbol a device library exports. */
const tenon_device_api *tenon_device_v1(void);

#ifdef __cplusplus
}
#endif
#endif /* TENON_DEVICE_H */
