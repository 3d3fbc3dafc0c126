/* SPDX-License-Identifier: Apache-2.0
 * The commands of a library-style NPU: calls of functions by name, with places in memory.
 *
 * All numbers little-endian, every part begins at a multiple of 8 bytes.
 *   tenon_call_stream_header
 *   name_count times: uint32_t length, then the name's bytes, zeros to a multiple of 8
 *   call_count times: tenon_call_header, operand_count times tenon_call_operand,
 *                     byte_count bytes for the function, zeros to a multiple of 8
 * Operands: inputs, outputs, then what the call added of constants and scratch. The name "" copies
 * operand 0 to operand 1, which are of one size.
 */
#ifndef TENON_CALL_STREAM_H
#define TENON_CALL_STREAM_H

#include <stdint.h>

#define TENON_CALL_STREAM_MAGIC 0x314c4354u /* "TCL1" */

enum tenon_call_region {
  TENON_CALL_INPUT,
  TENON_CALL_OUTPUT,
  TENON_CALL_SCRATCH,
  TENON_CALL_CONSTANTS
};

typedef struct tenon_call_stream_header {
  uint32_t magic;
  uint32_t name_count;
  uint32_t call_count;
  uint32_t reserved; /* 0 */
} tenon_call_stream_header;

typedef struct tenon_call_header {
  uint32_t name; /* index */
  uint32_t input_count, output_count;
  uint32_t operand_count; /* inputs and outputs included */
  uint32_t byte_count;
  uint32_t reserved; /* 0 */
} tenon_call_header;

typedef struct tenon_call_operand {
  uint32_t region; /* tenon_call_region */
  uint32_t edge;   /* which input or output; else 0 */
  uint64_t offset, size;
} tenon_call_operand;

#endif /* TENON_CALL_STREAM_H */
