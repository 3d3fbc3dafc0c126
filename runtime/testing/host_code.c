/* SPDX-License-Identifier: Apache-2.0
 * Host code as a package holds it, for tests: entries with the runtime's C signature. */
#include <math.h>
#include <stdint.h>
#include <string.h>

/* out[i] = in[i] - 128, 48 elements: uint8 becomes int8 */
int32_t to_int8(void *const *inputs, void *const *outputs) {
  const uint8_t *in = inputs[0];
  int8_t *out = outputs[0];
  for (int i = 0; i < 48; ++i)
    out[i] = (int8_t)(in[i] - 128);
  return 0;
}

/* 48 bytes in, 4 floats out: e to the power of the first four */
int32_t exponentials(void *const *inputs, void *const *outputs) {
  const int8_t *in = inputs[0];
  float *out = outputs[0];
  for (int i = 0; i < 4; ++i)
    out[i] = expf(in[i]);
  return 0;
}

/* no input, 4 floats: a constant output */
int32_t constants(void *const *inputs, void *const *outputs) {
  static const float values[4] = {1, 2, 3, 4};
  (void)inputs;
  memcpy(outputs[0], values, sizeof(values));
  return 0;
}

int32_t gives_up(void *const *inputs, void *const *outputs) {
  (void)inputs, (void)outputs;
  return 12;
}
