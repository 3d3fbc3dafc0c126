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

#if defined(__GNUC__)
#define TENON_API __attribute__((visibility("default")))
#else
#define TENON_API
#endif

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

/* "0.1.0" */
TENON_API const char *tenon_version(void);

/* The calling thread's last failure, one line, never NULL; valid until its next failing call. */
TENON_API const char *tenon_last_error(void);

/* Opens and verifies a package. From memory, the bytes are copied. */
TENON_API tenon_status tenon_package_open(const char *path, tenon_package **package);
TENON_API tenon_status tenon_package_open_memory(const void *bytes, size_t size,
                                                 tenon_package **package);
TENON_API void tenon_package_close(tenon_package *package);

TENON_API size_t tenon_package_input_count(const tenon_package *package);
TENON_API size_t tenon_package_output_count(const tenon_package *package);
TENON_API tenon_status tenon_package_input(const tenon_package *package, size_t index,
                                           tenon_tensor_info *info);
TENON_API tenon_status tenon_package_output(const tenon_package *package, size_t index,
                                            tenon_tensor_info *info);

/* A kind of device that this process can open; pointers live as long as the process. */
typedef struct tenon_device_kind_info {
  const char *uri_scheme; /* "sim" answers "sim:..." */
  const char *target;     /* whose code it runs */
  const char *origin;     /* "built in", or the library's path */
} tenon_device_kind_info;

TENON_API size_t tenon_device_kind_count(void);
TENON_API tenon_status tenon_device_kind(size_t index, tenon_device_kind_info *info);

/* Libraries of TENON_DEVICE_PATH that were not loaded: a line each that names the library and the
 * reason; NULL past the end. Texts live as long as the process. */
TENON_API const char *tenon_device_problem(size_t index);

/* Makes a session. `devices` are URIs ("sim:"), at most one a target, in any order; a target that
 * none of them serves gets the first kind of device that runs its code, the simulator in process
 * for what Tenon ships. TENON_DEVICE_PATH lists libraries of further kinds, ':' between them. The
 * package may be closed before the session is destroyed. */
TENON_API tenon_status tenon_session_create(const tenon_package *package,
                                            const char *const *devices, size_t device_count,
                                            tenon_session **session);
TENON_API void tenon_session_destroy(tenon_session *session);

/* The session's own buffer of an input or output: size_bytes bytes, dense, 64-byte aligned, zero
 * at first, made at the first call; it stays where it is until the session is destroyed. An input's
 * bytes stay as they are over any number of runs. */
TENON_API tenon_status tenon_session_input(tenon_session *session, size_t index, void **data);
TENON_API tenon_status tenon_session_output(tenon_session *session, size_t index, void **data);

/* Uses the caller's memory instead, without a copy, until bound anew or destroyed; NULL returns to
 * the session's own. `size` is the tensor's size_bytes, `data` aligned for its type; an output's
 * memory may not overlap other memory that is bound. */
TENON_API tenon_status tenon_session_bind_input(tenon_session *session, size_t index,
                                                const void *data, size_t size);
TENON_API tenon_status tenon_session_bind_output(tenon_session *session, size_t index, void *data,
                                                 size_t size);

/* Runs once, to the end. Calls on one session wait for each other; after a failure the outputs'
 * bytes mean nothing, and the session can be run again. */
TENON_API tenon_status tenon_session_run(tenon_session *session);

/* Steps, one a partition, in execution order; profiles are the last run's, zero before it.
 * `profile->target` lives as long as the session. */
TENON_API size_t tenon_session_step_count(const tenon_session *session);
TENON_API tenon_status tenon_session_step(const tenon_session *session, size_t index,
                                          tenon_step_profile *profile);

#ifdef __cplusplus
}
#endif
#endif /* TENON_H */
