# SPDX-License-Identifier: Apache-2.0
"""Reads spec.toml into checked, typed values; input of every emitter."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCALARS = {"u4": 1, "u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8}
PAYLOAD_BYTES = 48


@dataclass
class Enum:
    name: str
    doc: str
    values: dict[str, int]
    meaning: dict[str, str]


@dataclass
class Field:
    at: int
    type: str
    name: str
    doc: str
    default: Any
    min: int | None
    max: int | None
    shift: int | None

    @property
    def element(self) -> str:
        return self.type.split("[")[0]

    @property
    def count(self) -> int | None:
        match = re.search(r"\[(\d+)\]", self.type)
        return int(match.group(1)) if match else None

    @property
    def camel(self) -> str:
        return camel(self.name)


@dataclass
class Struct:
    name: str
    size: int
    doc: str
    error: str
    descriptor: str | None
    fields: list[Field]


@dataclass
class Command:
    name: str
    op: int
    engines: list[str]
    payload: str | None
    doc: str


@dataclass
class Register:
    at: int
    name: str
    access: str
    doc: str


@dataclass
class Spec:
    arch: int
    command_version: int
    magic: int
    notes: list[tuple[str, str]]
    enums: list[Enum]
    flags: list[Enum]
    structs: list[Struct]
    commands: list[Command]
    registers: list[Register]

    def enum(self, name: str) -> Enum | None:
        return next((e for e in self.enums if e.name == name), None)

    def struct(self, name: str) -> Struct | None:
        return next((s for s in self.structs if s.name == name), None)

    def size_of(self, field: Field) -> int:
        struct = self.struct(field.element)
        one = struct.size if struct else SCALARS.get(field.element, 1)
        return one * (field.count or 1)


def camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _enum(raw: dict[str, Any]) -> Enum:
    return Enum(raw["name"], raw["doc"], raw["values"], raw.get("meaning", {}))


def _field(raw: dict[str, Any]) -> Field:
    optional = {key: raw.get(key) for key in ("default", "min", "max", "shift")}
    return Field(raw["at"], raw["type"], raw["name"], raw["doc"], **optional)


def _struct(raw: dict[str, Any]) -> Struct:
    fields = [_field(f) for f in raw["fields"]]
    return Struct(raw["name"], raw["size"], raw["doc"], raw["error"], raw.get("descriptor"), fields)


def load(path: Path) -> Spec:
    """Reads and checks the specification; raises ValueError naming what is wrong."""
    raw = tomllib.loads(path.read_text())
    commands = [
        Command(c["name"], c["op"], c["engines"], c.get("payload"), c["doc"])
        for c in raw["command"]
    ]
    opcodes = Enum("Opcode", "Commands.", {c.name: c.op for c in commands}, {})
    spec = Spec(
        arch=raw["arch"],
        command_version=raw["command_version"],
        magic=raw["magic"],
        notes=[(n["title"], n["text"].strip()) for n in raw["note"]],
        enums=[opcodes, *(_enum(e) for e in raw["enum"])],
        flags=[_enum(e) for e in raw["flags"]],
        structs=_in_dependency_order([_struct(s) for s in raw["struct"]]),
        commands=commands,
        registers=[Register(**r) for r in raw["registers"]["list"]],
    )
    _check(spec)
    return spec


def _in_dependency_order(structs: list[Struct]) -> list[Struct]:
    names = {s.name for s in structs}
    done: list[Struct] = []
    while len(done) < len(structs):
        ready = {s.name for s in done}
        done += [
            s
            for s in structs
            if s.name not in ready
            and all(f.element in ready or f.element not in names for f in s.fields)
        ]
    return done


def _check(spec: Spec) -> None:
    for struct in spec.structs:
        used: set[tuple[int, int | None]] = set()
        for field in struct.fields:
            _check_field(spec, struct, field, used)
    for command in spec.commands:
        payload = spec.struct(command.payload) if command.payload else None
        if command.payload and (payload is None or payload.size != PAYLOAD_BYTES):
            raise ValueError(
                f"{command.name}: payload must be a structure of {PAYLOAD_BYTES} bytes"
            )


def _check_field(
    spec: Spec, struct: Struct, field: Field, used: set[tuple[int, int | None]]
) -> None:
    where = f"{struct.name}.{field.name}"
    known = field.element in SCALARS or spec.enum(field.element) or spec.struct(field.element)
    if not known:
        raise ValueError(f"{where}: unknown type {field.type}")
    places = {(field.at + i, field.shift) for i in range(spec.size_of(field))}
    if used & places or any((at, None) in used for at, _ in places):
        raise ValueError(f"{where}: overlaps another field")
    if field.at + spec.size_of(field) > struct.size:
        raise ValueError(f"{where}: leaves the {struct.size} bytes of {struct.name}")
    used |= places
