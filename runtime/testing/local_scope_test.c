/* SPDX-License-Identifier: Apache-2.0
 * Loads libtenon.so the way Python's ctypes does, out of sight of other libraries, in a program
 * that has no math library; the package's host code must find expf all the same.
 * Usage: local_scope_test libtenon.so PACKAGE */
#include <dlfcn.h>
#include <stdio.h>

#include "runtime/api/tenon.h"

#define LOAD(name) __typeof__(&name) p_##name = (__typeof__(&name))dlsym(library, #name)

int main(int argc, char **argv) {
  void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library)
    return 2;
  LOAD(tenon_package_open);
  LOAD(tenon_session_create);
  LOAD(tenon_session_input);
  LOAD(tenon_session_output);
  LOAD(tenon_session_run);
  LOAD(tenon_session_destroy);
  LOAD(tenon_package_close);
  LOAD(tenon_last_error);
  tenon_package *package = NULL;
  tenon_session *session = NULL;
  void *in, *out;
  if (p_tenon_package_open(argv[2], &package) ||
      p_tenon_session_create(package, NULL, 0, &session) ||
      p_tenon_session_input(session, 0, &in) || p_tenon_session_output(session, 0, &out)) {
    fprintf(stderr, "%s\n", p_tenon_last_error());
    return 1;
  }
  ((unsigned char *)in)[1] = 129;
  int status = p_tenon_session_run(session);
  float e = ((float *)out)[1];
  printf("%g\n", e);
  p_tenon_session_destroy(session);
  p_tenon_package_close(package);
  return status || e < 2.71828f || e > 2.71829f;
}
