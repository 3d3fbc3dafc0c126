// SPDX-License-Identifier: Apache-2.0
// Serialises a program's calls.
#include <algorithm>

#include "backend/library/EmitCode.h"
#include "package/tenon_call_stream.h"

namespace tenon::library {
namespace {

void appendPadded(Bytes &bytes, const void *data, size_t sizeBytes) {
  const auto *raw = static_cast<const uint8_t *>(data);
  bytes.insert(bytes.end(), raw, raw + sizeBytes);
  padTo(bytes, 8);
}

void appendCall(Bytes &bytes, const ProgramCall &call, uint32_t name) {
  append(bytes, tenon_call_header{name, call.inputs, 1, uint32_t(call.operands.size()),
                                  uint32_t(call.bytes.size()), 0});
  for (const Place &place : call.operands)
    append(bytes,
           tenon_call_operand{uint32_t(place.region), place.edge, place.offset, place.bytes});
  appendPadded(bytes, call.bytes.data(), call.bytes.size());
}

} // namespace

Expected<Bytes> writeCallStream(const Program &program) {
  std::vector<std::string> names;
  for (const ProgramCall &call : program.calls) {
    if (call.bytes.size() > UINT32_MAX)
      return fail("{} bytes of a call exceed {}", call.bytes.size(), UINT32_MAX);
    if (std::ranges::count(names, call.composite) == 0)
      names.push_back(call.composite);
  }
  Bytes bytes;
  append(bytes, tenon_call_stream_header{TENON_CALL_STREAM_MAGIC, uint32_t(names.size()),
                                         uint32_t(program.calls.size()), 0});
  for (const std::string &name : names) {
    append(bytes, uint32_t(name.size()));
    appendPadded(bytes, name.data(), name.size());
  }
  for (const ProgramCall &call : program.calls)
    appendCall(bytes, call, uint32_t(std::ranges::find(names, call.composite) - names.begin()));
  return bytes;
}

} // namespace tenon::library
