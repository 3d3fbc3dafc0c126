/* SPDX-License-Identifier: Apache-2.0
 * Tenon's runtime: open a package, make a session on devices, bind buffers, run.
 *
 * Every function that can fail returns a tenon_status; tenon_last_error() then holds one line of
 * text for the calling thread. Handles may be shared by threads unless a function says otherwise.
 */
#ifndef TENON_H
#define TENON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tenon_status {
  TENON_OK = 0,
  TENON_INVALID_ARGUMENT = 1, /* the caller's mistake: index, size, NULL */
  TENON_BAD_PACKAGE = 2,      /* damaged, or of another version */
  TENON_NO_DEVICE = 3,        /* a URI that nothing answers, or of another version */
  TENON_DEVICE_FAULT = 4,     /* the device stopped the job; the text names the operator */
  TENON_OUT_OF_MEMORY = 5,
  TENON_INTERNAL = 6
} tenon_status;

typedef enum tenon_type {
  TENON_INT8 = 0,
  TENON_UINT8 = 1,
  TENON_INT16 = 2,
  TENON_INT32 = 3,
  TENON_INT64 = 4,
  TENON_FLOAT16 = 5,
  TENON_FLOAT32 = 6,
  TENON_FLOAT64 = 7,
  TENON_BOOL = 8
} tenon_type;

typedef struct tenon_package tenon_package;
typedef struct tenon_session tenon_session;

/* A tensor of the network; pointers live as long as the package. */
typedef struct tenon_tensor_info {
  const char *name;
  tenon_type type;
  uint32_t rank;
  const int64_t *shape;
  uint64_t size_bytes;
  double scale; /* 0 where not quantised */
  int64_t zero_point;
} tenon_tensor_info;

/* One step of the last run. */
typedef struct tenon_step_profile {
  const char *target;
  uint64_t wall_ns;
  uint64_t cycles; /* device cycles, 0 on the host */
  uint64_t macs;
  uint64_t dram_bytes;
} tenon_step_profile;

const char *tenon_version(void);

/* The calling thread's last failure, one line, never NULL; valid until its next failing call. */
const char *tenon_last_error(void);

/* Opens and verifies a package. From memory, the bytes are copied. */
tenon_status tenon_package_open(const char *path, tenon_package **package);
tenon_status tenon_package_open_memory(const void *bytes, size_t size, tenon_package **package);
void tenon_package_close(tenon_package *package);

size_t tenon_package_input_count(const tenon_package *package);
size_t tenon_package_output_count(const tenon_package *package);
tenon_status tenon_package_input(const tenon_package *package, size_t index,
                                 tenon_tensor_info *info);
tenon_status tenon_package_output(const tenon_package *package, size_t index,
                                  tenon_tensor_info *info);

/* Makes a session. `devices` are URIs ("sim:"), one a kind of device, in any order; with none,
 * every device partition runs on the simulator in process. The package must outlive the session. */
tenon_status tenon_session_create(const tenon_package *package, const char *const *devices,
                                  size_t device_count, tenon_session **session);
void tenon_session_destroy(tenon_session *session);

/* The session's own buffer of an input or output: size_bytes bytes, dense, 64-byte aligned. */
tenon_status tenon_session_input(tenon_session *session, size_t index, void **data);
tenon_status tenon_session_output(tenon_session *session, size_t index, void **data);

/* Uses the caller's memory instead, until bound anew or destroyed; NULL returns to the
 * session's own. */
tenon_status tenon_session_bind_input(tenon_session *session, size_t index, const void *data,
                                      size_t size);
tenon_status tenon_session_bind_output(tenon_session *session, size_t index, void *data,
                                       size_t size);

/* Runs once, to the end. Calls on one session wait for each other. */
tenon_status tenon_session_run(tenon_session *session);

/* Steps of the last run. */
size_t tenon_session_step_count(const tenon_session *session);
tenon_status tenon_session_step(const tenon_session *session, size_t index,
                                tenon_step_profile *profile);

#ifdef __cplusplus
}
#endif
#endif /* TENON_H */
