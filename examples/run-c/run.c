/* SPDX-License-Identifier: Apache-2.0
 * Runs a compiled network from C.
 *
 *   run PACKAGE [INPUT.raw]
 *
 * Opens PACKAGE, feeds its first input from a raw file (the tensor's bytes, row-major) or leaves
 * it zero as the session makes it, runs once, and prints the first values of every output and what
 * each step cost. Exit code 0: done; 1: refused or failed, with one line on stderr; 2: wrong usage.
 *
 * Build it against an installed Tenon:
 *   cc -std=c11 run.c $(pkg-config --cflags --libs tenon) -o run
 */
#include <inttypes.h>
#include <stdio.h>

#include <tenon.h>

enum { SHOWN_VALUES = 10 };

/* Prints the runtime's reason; every failing call leaves one. */
static int report(const char *what) {
  fprintf(stderr, "run: %s: %s\n", what, tenon_last_error());
  return 1;
}

/* Reads exactly `size` bytes of `path`. */
static int read_raw(const char *path, void *data, size_t size) {
  FILE *file = fopen(path, "rb");
  size_t got = file ? fread(data, 1, size, file) : 0;
  int rest = file ? fgetc(file) : EOF;
  if (file)
    fclose(file);
  if (got == size && rest == EOF)
    return 0;
  fprintf(stderr, "run: %s: the input has %zu bytes, the file %s\n", path, size,
          rest == EOF ? "has fewer or cannot be read" : "has more");
  return 1;
}

/* Inputs lie in the session's own memory: fill them in place, nothing is copied. */
static int feed(tenon_session *session, const tenon_package *package, const char *path) {
  tenon_tensor_info info;
  void *data;
  if (!path)
    return 0;
  if (tenon_package_input(package, 0, &info) || tenon_session_input(session, 0, &data))
    return report("input 0");
  return read_raw(path, data, info.size_bytes);
}

/* A value of any type as a number; what C has no type for is shown as bits. */
static void print_value(const void *data, tenon_type type, size_t index) {
  switch (type) {
  case TENON_INT8:
    printf(" %d", ((const int8_t *)data)[index]);
    break;
  case TENON_UINT8:
  case TENON_BOOL:
    printf(" %u", ((const uint8_t *)data)[index]);
    break;
  case TENON_INT16:
    printf(" %d", ((const int16_t *)data)[index]);
    break;
  case TENON_FLOAT16:
    printf(" 0x%04x", ((const uint16_t *)data)[index]);
    break;
  case TENON_INT32:
    printf(" %" PRId32, ((const int32_t *)data)[index]);
    break;
  case TENON_INT64:
    printf(" %" PRId64, ((const int64_t *)data)[index]);
    break;
  case TENON_FLOAT32:
    printf(" %g", (double)((const float *)data)[index]);
    break;
  case TENON_FLOAT64:
    printf(" %g", ((const double *)data)[index]);
    break;
  }
}

static int print_output(tenon_session *session, const tenon_package *package, size_t index) {
  tenon_tensor_info info;
  void *data;
  if (tenon_package_output(package, index, &info) || tenon_session_output(session, index, &data))
    return report("output");
  size_t count = 1;
  printf("output %zu \"%s\" [", index, info.name);
  for (uint32_t i = 0; i < info.rank; ++i) {
    count *= (size_t)info.shape[i];
    printf(i ? ",%" PRId64 : "%" PRId64, info.shape[i]);
  }
  printf("]:");
  for (size_t i = 0; i < count && i < SHOWN_VALUES; ++i)
    print_value(data, info.type, i);
  printf(count > SHOWN_VALUES ? " ...\n" : "\n");
  return 0;
}

static int print_steps(const tenon_session *session) {
  tenon_step_profile step;
  for (size_t i = 0; i < tenon_session_step_count(session); ++i) {
    if (tenon_session_step(session, i, &step))
      return report("step");
    printf("step %zu on %s: %" PRIu64 " us, %" PRIu64 " device cycles\n", i, step.target,
           step.wall_ns / 1000, step.cycles);
  }
  return 0;
}

static int run(const tenon_package *package, const char *input) {
  tenon_session *session = NULL;
  if (tenon_session_create(package, NULL, 0, &session))
    return report("session");
  int status = feed(session, package, input);
  if (!status && tenon_session_run(session))
    status = report("run");
  for (size_t i = 0; !status && i < tenon_package_output_count(package); ++i)
    status = print_output(session, package, i);
  if (!status)
    status = print_steps(session);
  tenon_session_destroy(session);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: run PACKAGE [INPUT.raw]\n");
    return 2;
  }
  tenon_package *package = NULL;
  if (tenon_package_open(argv[1], &package))
    return report(argv[1]);
  int status = run(package, argc == 3 ? argv[2] : NULL);
  tenon_package_close(package);
  return status;
}
