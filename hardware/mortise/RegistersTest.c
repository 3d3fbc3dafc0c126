/* SPDX-License-Identifier: Apache-2.0
 * The register header compiles as plain C and gives the manual's numbers.
 */
#include "hardware/mortise/generated/mortise_regs.h"

_Static_assert(MORTISE_OP_MAC_RUN == 0x20, "opcode of MAC.RUN");
_Static_assert(MORTISE_FAULT_HAZARD == 9, "fault HAZARD");
_Static_assert(MORTISE_ENGINE_VEC == 4, "engine VEC");

unsigned mortise_ring_tail_offset(void) { return MORTISE_REG_RING_TAIL; }
