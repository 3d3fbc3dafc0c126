# SPDX-License-Identifier: Apache-2.0
"""Emits docs/mortise-reference.md."""

from .model import Enum, Field, Spec, Struct

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Generated from hardware/mortise/spec.toml by hardware/mortise/generate.py; do not edit. -->
# Mortise reference
"""


def emit(spec: Spec) -> str:
    parts = [HEAD, f"Architecture {spec.arch}, command version {spec.command_version}.\n"]
    parts += [f"## {title}\n\n{_prose(text)}\n" for title, text in spec.notes]
    parts += [_commands(spec)]
    parts += ["## Structures\n"] + [_struct(spec, s) for s in spec.structs]
    parts += ["## Enumerations\n"] + [_enum(e) for e in spec.enums[1:]]
    parts += ["## Bits\n"] + [_enum(f) for f in spec.flags]
    parts += [_registers(spec)]
    return "\n".join(parts)


def _prose(text: str) -> str:
    return "\n".join(f"    {line}" if line.startswith(" ") else line for line in text.splitlines())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _commands(spec: Spec) -> str:
    lines = ["## Commands\n", "| op | command | engines | payload | |", "|---|---|---|---|---|"]
    lines += [
        f"| 0x{c.op:02X} | {c.name} | {', '.join(c.engines)} | {c.payload or '-'} | {_cell(c.doc)} |"
        for c in spec.commands
    ]
    return "\n".join(lines) + "\n"


def _limits(field: Field) -> str:
    low = "" if field.min is None else f"from {field.min}"
    high = "" if field.max is None else f"to {field.max}"
    return " ".join(part for part in (low, high) if part)


def _struct(spec: Spec, struct: Struct) -> str:
    lines = [f"### {struct.name}, {struct.size} bytes\n", struct.doc + "\n"]
    lines += ["| byte | field | type | limits | default | |", "|---|---|---|---|---|---|"]
    for f in struct.fields:
        at = f"{f.at}" if f.shift is None else f"{f.at} bits {f.shift}-{f.shift + 3}"
        default = "" if f.default is None else f.default
        lines += [f"| {at} | {f.name} | {f.type} | {_limits(f)} | {default} | {_cell(f.doc)} |"]
    return "\n".join(lines) + "\n"


def _enum(enum: Enum) -> str:
    if not enum.meaning:
        values = ", ".join(f"{name} = {value}" for name, value in enum.values.items())
        return f"**{enum.name}.** {enum.doc} {values}.\n"
    lines = [f"**{enum.name}.** {enum.doc}\n", "| value | name | |", "|---|---|---|"]
    lines += [
        f"| {value} | {name} | {_cell(enum.meaning.get(name, ''))} |"
        for name, value in enum.values.items()
    ]
    return "\n".join(lines) + "\n"


def _registers(spec: Spec) -> str:
    lines = ["## Registers\n", "| offset | register | access | |", "|---|---|---|---|"]
    lines += [f"| 0x{r.at:03X} | {r.name} | {r.access} | {_cell(r.doc)} |" for r in spec.registers]
    return "\n".join(lines) + "\n"
