// SPDX-License-Identifier: Apache-2.0
// Prints a whole stream in words; commands' fields come from the generated tables.
#include "hardware/mortise/Stream.h"

namespace tenon::mortise {
namespace {

std::string fieldsLine(const std::vector<FieldValue> &fields) {
  std::string line;
  for (const FieldValue &field : fields)
    if (field.value != "0" && field.value != "0x0" && field.value != "[0,0,0]")
      line += " " + field.name + "=" + field.value;
  return line;
}

std::string descriptorLine(const StreamView &stream, uint32_t index) {
  if (auto mac = stream.macDescriptor(index))
    return fieldsLine(fieldsOf(*mac));
  auto vec = stream.vecDescriptor(index);
  return vec ? fieldsLine(fieldsOf(*vec)) : " invalid: " + vec.error().message;
}

std::string microOpLine(const StreamView &stream, uint32_t index) {
  const size_t offset = size_t(index) * kMicroOpBytes;
  auto op = decode<MicroOp>(stream.programs.subspan(offset, kMicroOpBytes));
  if (!op)
    return "invalid: " + op.error().message;
  return fmt::format("{} dst=R{} option={} src_a={} src_b={} immediate={}", nameOf(op->op), op->dst,
                     op->option, nameOf(Source(op->srcA)),
                     op->op == MicroOpcode::RESCALE ? std::to_string(op->srcB)
                                                    : nameOf(Source(op->srcB)),
                     op->immediate);
}

} // namespace

std::string disassemble(const StreamView &stream) {
  std::string text;
  for (uint32_t i = 0; i < stream.commandCount(); ++i) {
    auto command = stream.command(i);
    text += fmt::format("{:>6}: {}\n", i,
                        command ? disassemble(*command) : "invalid: " + command.error().message);
  }
  for (uint32_t i = 0; i < stream.descriptorCount(); ++i)
    text += fmt::format("descriptor {}:{}\n", i, descriptorLine(stream, i));
  for (uint32_t i = 0; i < stream.microOpCount(); ++i)
    text += fmt::format("micro-op {}: {}\n", i, microOpLine(stream, i));
  return text;
}

} // namespace tenon::mortise
