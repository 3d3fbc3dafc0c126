# SPDX-License-Identifier: Apache-2.0
"""Emits Isa.h: enums, structures and the functions that turn them into bytes and back."""

from .model import Enum, Field, Spec, Struct

HEAD = """// SPDX-License-Identifier: Apache-2.0
// Mortise commands, descriptors and micro-ops. Generated from spec.toml; do not edit.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "support/Bytes.h"

namespace tenon::mortise {
"""

API = """/// Why bytes are not what they claim: the fault a device raises, the byte, and words.
struct DecodeError {
  FaultCode code;
  uint32_t offset;
  std::string message;
};
template <typename T> using Decoded = tl::expected<T, DecodeError>;

/// A field's name and value in words, for disassembly.
struct FieldValue {
  std::string name, value;
};

inline constexpr uint32_t kCommandBytes = 64;
inline constexpr uint32_t kDescriptorBytes = 128;
inline constexpr uint32_t kMicroOpBytes = 8;

/// Parses a T from the start of untrusted bytes: length, enums, ranges and reserved bytes are checked.
template <typename T> Decoded<T> decode(ByteSpan bytes);

/// A command's header and the payload its opcode has (none: monostate).
struct Command {
  Header header;
  std::variant<@PAYLOADS@> payload;
  bool operator==(const Command &) const = default;
};
std::array<uint8_t, kCommandBytes> encode(const Command &command);
template <> Decoded<Command> decode<Command>(ByteSpan bytes);

/// "MAC_RUN"; "?" for a value that is none.
const char *nameOf(Opcode op);
/// One line: opcode, engine, waits, tag, then the payload's fields that are not zero.
std::string disassemble(const Command &command);
"""

TYPES = {"u4": "uint8_t"} | {
    kind + bits: f"{'u' if kind == 'u' else ''}int{bits}_t"
    for kind in "ui"
    for bits in ("8", "16", "32", "64")
}


def emit(spec: Spec) -> str:
    parts = [HEAD, _versions(spec)]
    parts += [_enum(e) for e in spec.enums]
    parts += [_flags(f) for f in spec.flags]
    parts += [_struct(spec, s) for s in spec.structs]
    parts += [API.replace("@PAYLOADS@", ", ".join(payload_types(spec)))]
    parts += [_functions(spec)]
    return "\n".join(parts) + "\n} // namespace tenon::mortise\n"


def payload_types(spec: Spec) -> list[str]:
    names = [c.payload for c in spec.commands if c.payload]
    return ["std::monostate", *dict.fromkeys(names)]


def _versions(spec: Spec) -> str:
    return (
        f"inline constexpr uint32_t kMagic = 0x{spec.magic:08X};\n"
        f"inline constexpr uint16_t kArch = {spec.arch};\n"
        f"inline constexpr uint16_t kCommandVersion = {spec.command_version};\n"
    )


def _enum(enum: Enum) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in enum.values.items())
    return f"/// {enum.doc}\nenum class {enum.name} : uint8_t {{ {values} }};\n"


def _flags(flags: Enum) -> str:
    lines = [f"/// {flags.doc}", f"struct {flags.name} {{"]
    lines += [
        f"  static constexpr uint16_t {name} = 0x{value:X};" for name, value in flags.values.items()
    ]
    return "\n".join([*lines, "};", ""])


def cpp_type(field: Field) -> str:
    element = TYPES.get(field.element, field.element)
    return f"std::array<{element}, {field.count}>" if field.count else element


def _default(spec: Spec, field: Field) -> str:
    if spec.struct(field.element) or field.count:
        return "{}"
    if spec.enum(field.element):
        return f"{field.element}::{field.default}"
    if field.default == -(2**31):
        return "INT32_MIN"
    return str(field.default or 0)


def _struct(spec: Spec, struct: Struct) -> str:
    lines = [f"/// {struct.doc}", f"struct {struct.name} {{"]
    lines += [f"  static constexpr uint32_t kBytes = {struct.size};"]
    lines += [
        f"  {cpp_type(f)} {f.camel} = {_default(spec, f)}; ///< {f.doc}" for f in struct.fields
    ]
    lines += [f"  bool operator==(const {struct.name} &) const = default;", "};", ""]
    return "\n".join(lines)


def _functions(spec: Spec) -> str:
    lines = [f'/// Its name, or "?".\nconst char *nameOf({e.name} value);' for e in spec.enums[1:]]
    for struct in spec.structs:
        lines += [
            f"std::array<uint8_t, {struct.size}> encode(const {struct.name} &value);",
            f"template <> Decoded<{struct.name}> decode<{struct.name}>(ByteSpan bytes);",
            f"std::vector<FieldValue> fieldsOf(const {struct.name} &value);",
        ]
    return "\n".join(lines) + "\n"
