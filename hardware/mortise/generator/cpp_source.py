# SPDX-License-Identifier: Apache-2.0
"""Emits Isa.cpp: encoders, checked decoders and the disassembler."""

from .cpp_header import TYPES, cpp_type
from .model import PAYLOAD_BYTES, Enum, Field, Spec, Struct

HEAD = """// SPDX-License-Identifier: Apache-2.0
// Encoders, decoders and names of Mortise structures. Generated from spec.toml; do not edit.
#include "hardware/mortise/generated/Isa.h"

#include <algorithm>
#include <cstring>

#include <fmt/ranges.h>

namespace tenon::mortise {
namespace {

template <typename T> T load(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T> void store(uint8_t *to, const T &value) { std::memcpy(to, &value, sizeof value); }

template <typename... Args>
tl::unexpected<DecodeError> bad(FaultCode code, uint32_t offset, fmt::format_string<Args...> format,
                                Args &&...args) {
  return tl::unexpected(DecodeError{code, offset, fmt::format(format, std::forward<Args>(args)...)});
}

std::string join(const std::vector<FieldValue> &fields) {
  std::string text;
  for (const FieldValue &field : fields)
    if (field.value != "0" && field.value != "0x0")
      text += " " + field.name + "=" + field.value;
  return text;
}

} // namespace
"""


def emit(spec: Spec) -> str:
    parts = [HEAD]
    parts += [_name_of(e) for e in spec.enums]
    for struct in spec.structs:
        parts += [_encode(spec, struct), _decode(spec, struct), _fields_of(spec, struct)]
    parts += [_command_encode(), _command_decode(spec), DISASSEMBLE]
    return "\n".join(parts) + "\n} // namespace tenon::mortise\n"


def _name_of(enum: Enum) -> str:
    cases = "\n".join(f'  case {enum.name}::{name}:\n    return "{name}";' for name in enum.values)
    return (
        f"const char *nameOf({enum.name} value) {{\n  switch (value) {{\n{cases}\n  }}\n"
        '  return "?";\n}\n'
    )


def _encode(spec: Spec, struct: Struct) -> str:
    lines = [f"std::array<uint8_t, {struct.size}> encode(const {struct.name} &value) {{"]
    lines += [f"  std::array<uint8_t, {struct.size}> bytes{{}};"]
    for field in struct.fields:
        source = f"value.{field.camel}"
        if field.shift is not None:
            lines += [f"  bytes[{field.at}] |= uint8_t(({source} & 15) << {field.shift});"]
        elif spec.struct(field.element):
            lines += [f"  store(bytes.data() + {field.at}, encode({source}));"]
        else:
            lines += [f"  store(bytes.data() + {field.at}, {source});"]
    return "\n".join([*lines, "  return bytes;", "}", ""])


def _decode(spec: Spec, struct: Struct) -> str:
    name, code = struct.name, f"FaultCode::{struct.error}"
    lines = [f"template <> Decoded<{name}> decode<{name}>(ByteSpan bytes) {{"]
    lines += [f"  if (bytes.size() < {struct.size})"]
    lines += [
        f'    return bad({code}, uint32_t(bytes.size()), "byte {{}}: {name} of {struct.size} bytes is cut short",'
        " bytes.size());"
    ]
    lines += ["  const uint8_t *at = bytes.data();", f"  {name} value;"]
    for field in struct.fields:
        lines += _decode_field(spec, struct, field)
    lines += _reserved(spec, struct)
    return "\n".join([*lines, "  return value;", "}", ""])


def _decode_field(spec: Spec, struct: Struct, field: Field) -> list[str]:
    target, code = f"value.{field.camel}", f"FaultCode::{struct.error}"
    if spec.struct(field.element):
        return [
            f"  if (auto nested = decode<{field.element}>(bytes.subspan({field.at}, {spec.size_of(field)})))",
            f"    {target} = *nested;",
            "  else",
            f"    return bad({code}, {field.at} + nested.error().offset, "
            f'"{struct.name}.{field.name}: {{}}", nested.error().message);',
        ]
    if spec.enum(field.element):
        return [
            f"  {target} = {field.element}(at[{field.at}]);",
            f"  if (*nameOf({target}) == '?')",
            f'    return bad({code}, {field.at}, "byte {field.at}: {{}} is no {struct.name}.{field.name}", '
            f"at[{field.at}]);",
        ]
    if field.shift is not None:
        return [f"  {target} = (at[{field.at}] >> {field.shift}) & 15;"]
    load = f"  {target} = load<{cpp_type(field)}>(at + {field.at});"
    return [load, *_range(struct, field)]


def _range(struct: Struct, field: Field) -> list[str]:
    target = f"value.{field.camel}"
    low = f"{target} < {field.min}" if field.min is not None else None
    high = f"{target} > {field.max}" if field.max is not None else None
    if not low and not high:
        return []
    default_low = "0" if TYPES[field.element].startswith("u") else "the lowest"
    limits = f"{default_low if field.min is None else field.min} to {'the highest' if field.max is None else field.max}"
    return [
        f"  if ({' || '.join(c for c in (low, high) if c)})",
        f"    return bad(FaultCode::{struct.error}, {field.at}, "
        f'"byte {field.at}: {struct.name}.{field.name} is {{}}, not {limits}", {target});',
    ]


def _reserved(spec: Spec, struct: Struct) -> list[str]:
    used = {f.at + i for f in struct.fields for i in range(spec.size_of(f))}
    free = [at for at in range(struct.size) if at not in used]
    lines = []
    while free:
        end = next((i for i, at in enumerate(free) if at != free[0] + i), len(free))
        lines += [
            f"  for (uint32_t i = {free[0]}; i < {free[0] + end}; ++i)",
            "    if (at[i])",
            f'      return bad(FaultCode::{struct.error}, i, "byte {{}}: reserved byte of {struct.name} is not zero", i);',
        ]
        free = free[end:]
    return lines


def _fields_of(spec: Spec, struct: Struct) -> str:
    lines = [f"std::vector<FieldValue> fieldsOf(const {struct.name} &value) {{"]
    lines += ["  std::vector<FieldValue> fields;"]
    for field in struct.fields:
        source = f"value.{field.camel}"
        if spec.struct(field.element):
            lines += [
                f"  for (FieldValue &inner : fieldsOf({source}))",
                f'    fields.push_back({{"{field.name}." + inner.name, std::move(inner.value)}});',
            ]
        elif spec.enum(field.element):
            lines += [f'  fields.push_back({{"{field.name}", nameOf({source})}});']
        elif field.count:
            lines += [
                f'  fields.push_back({{"{field.name}", fmt::format("[{{}}]", fmt::join({source}, ","))}});'
            ]
        else:
            style = (
                "{:#x}"
                if field.name.endswith(("address", "offset")) and field.element[0] == "u"
                else "{}"
            )
            lines += [f'  fields.push_back({{"{field.name}", fmt::format("{style}", {source})}});']
    return "\n".join([*lines, "  return fields;", "}", ""])


def _command_encode() -> str:
    return """std::array<uint8_t, kCommandBytes> encode(const Command &command) {
  std::array<uint8_t, kCommandBytes> bytes{};
  store(bytes.data(), encode(command.header));
  std::visit(
      [&](const auto &payload) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(payload)>, std::monostate>)
          store(bytes.data() + Header::kBytes, encode(payload));
      },
      command.payload);
  return bytes;
}
"""


def _command_decode(spec: Spec) -> str:
    cases = []
    for command in spec.commands:
        wrong = " && ".join(f"engine != Engine::{e}" for e in command.engines)
        cases += [
            f"  case Opcode::{command.name}:",
            f"    if ({wrong})",
            "      return wrongEngine();",
        ]
        cases += [
            f"    return withPayload(decode<{command.payload}>(payload));"
            if command.payload
            else "    return withoutPayload();"
        ]
    return COMMAND_DECODE.replace("@CASES@", "\n".join(cases)).replace(
        "@PAYLOAD@", str(PAYLOAD_BYTES)
    )


COMMAND_DECODE = """template <> Decoded<Command> decode<Command>(ByteSpan bytes) {
  if (bytes.size() < kCommandBytes)
    return bad(FaultCode::BAD_OPCODE, uint32_t(bytes.size()), "byte {}: command is cut short", bytes.size());
  auto header = decode<Header>(bytes);
  if (!header)
    return tl::unexpected(header.error());
  const ByteSpan payload = bytes.subspan(Header::kBytes, @PAYLOAD@);
  const Engine engine = header->engine;
  const auto wrongEngine = [&]() -> Decoded<Command> {
    return bad(FaultCode::BAD_OPCODE, 1, "byte 1: {} does not run on {}", nameOf(header->op), nameOf(engine));
  };
  const auto withPayload = [&](auto &&decoded) -> Decoded<Command> {
    if (!decoded)
      return bad(decoded.error().code, Header::kBytes + decoded.error().offset, "payload {}",
                 decoded.error().message);
    return Command{*header, *decoded};
  };
  const auto withoutPayload = [&]() -> Decoded<Command> {
    if (std::any_of(payload.begin(), payload.end(), [](uint8_t byte) { return byte != 0; }))
      return bad(FaultCode::BAD_OPCODE, Header::kBytes, "payload of {} is not zero", nameOf(header->op));
    return Command{*header, std::monostate{}};
  };
  switch (header->op) {
@CASES@
  }
  return bad(FaultCode::BAD_OPCODE, 0, "byte 0: no command");
}
"""

DISASSEMBLE = """std::string disassemble(const Command &command) {
  const Header &header = command.header;
  std::string text = fmt::format("{:<10} {:<3} wait=[{}] tag={}", nameOf(header.op), nameOf(header.engine),
                                 fmt::join(header.wait, ","), header.layerTag);
  if (header.flags)
    text += fmt::format(" flags={:#x}", header.flags);
  std::visit(
      [&](const auto &payload) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(payload)>, std::monostate>)
          text += join(fieldsOf(payload));
      },
      command.payload);
  return text;
}
"""
