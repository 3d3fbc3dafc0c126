# SPDX-License-Identifier: Apache-2.0
"""Emits mortise_regs.h: what a kernel driver needs, in plain C."""

from .model import Enum, Spec

HEAD = """/* SPDX-License-Identifier: Apache-2.0
 * Mortise registers, opcodes, faults and engines. Generated from spec.toml; do not edit.
 */
#ifndef MORTISE_REGS_H
#define MORTISE_REGS_H
"""


def emit(spec: Spec) -> str:
    lines = [HEAD]
    lines += [f"#define MORTISE_MAGIC 0x{spec.magic:08X}u"]
    lines += [f"#define MORTISE_ARCH {spec.arch}", f"#define MORTISE_CMDVER {spec.command_version}"]
    lines += ["#define MORTISE_COMMAND_BYTES 64", "#define MORTISE_DESCRIPTOR_BYTES 128", ""]
    lines += ["/* Register offsets in bytes. */"]
    lines += [
        f"#define MORTISE_REG_{r.name} 0x{r.at:03X} /* {r.access}: {r.doc} */"
        for r in spec.registers
    ]
    for prefix, name in (("OP", "Opcode"), ("ENGINE", "Engine"), ("FAULT", "FaultCode")):
        lines += _constants(prefix, spec.enum(name))
    lines += _constants("FLAG", next(f for f in spec.flags if f.name == "Flag"))
    lines += ["", "#endif /* MORTISE_REGS_H */"]
    return "\n".join(lines) + "\n"


def _constants(prefix: str, enum: Enum | None) -> list[str]:
    assert enum is not None
    body = [f"#define MORTISE_{prefix}_{name} 0x{value:02X}" for name, value in enum.values.items()]
    return ["", f"/* {enum.doc} */", *body]
