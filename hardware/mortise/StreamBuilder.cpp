// SPDX-License-Identifier: Apache-2.0
// Makes stream containers.
#include <algorithm>
#include <cassert>

#include "hardware/mortise/Stream.h"

namespace tenon::mortise {
namespace {

/// Furthest a 16-bit count can look back.
constexpr uint64_t kWaitReach = 32767;
constexpr size_t kSectionAlignment = 128;

std::string keyOf(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

/// A count as the command carries it, raised where it would read as a later one.
uint16_t encodeWait(uint64_t completed, uint64_t dispatched) {
  assert(completed <= dispatched && "a wait names a later command");
  const uint64_t oldest = dispatched > kWaitReach ? dispatched - kWaitReach : 0;
  return uint16_t(std::max(completed, oldest));
}

Section placeSection(Bytes &container, SectionKind kind, const Bytes &content) {
  padTo(container, kSectionAlignment);
  const Section section{kind, uint32_t(container.size()), uint32_t(content.size())};
  container.insert(container.end(), content.begin(), content.end());
  return section;
}

} // namespace

Waits &Waits::on(Engine engine, uint64_t count) {
  uint64_t &mine = completed[size_t(engine)];
  mine = std::max(mine, count);
  return *this;
}

Waits &Waits::on(const Waits &other) {
  for (size_t i = 0; i < kEngineCount; ++i)
    completed[i] = std::max(completed[i], other.completed[i]);
  return *this;
}

uint16_t StreamBuilder::addDescriptorBytes(std::span<const uint8_t> bytes) {
  const uint32_t next = uint32_t(descriptors.size() / kDescriptorBytes);
  const auto [entry, isNew] = descriptorIndex.try_emplace(keyOf(bytes), next);
  assert(entry->second <= UINT16_MAX && "too many descriptors");
  if (isNew)
    descriptors.insert(descriptors.end(), bytes.begin(), bytes.end());
  return uint16_t(entry->second);
}

uint16_t StreamBuilder::addDescriptor(const MacDescriptor &descriptor) {
  return addDescriptorBytes(encode(descriptor));
}

uint16_t StreamBuilder::addDescriptor(const VecDescriptor &descriptor) {
  return addDescriptorBytes(encode(descriptor));
}

uint32_t StreamBuilder::addProgram(std::span<const MicroOp> program) {
  Bytes bytes;
  for (const MicroOp &op : program)
    append(bytes, encode(op));
  const uint32_t next = uint32_t(programs.size() / kMicroOpBytes);
  const auto [entry, isNew] = programIndex.try_emplace(keyOf(bytes), next);
  if (isNew)
    programs.insert(programs.end(), bytes.begin(), bytes.end());
  return entry->second;
}

uint64_t StreamBuilder::add(Opcode op, Engine engine, decltype(Command::payload) payload,
                            uint16_t layerTag, const Waits &waits, uint16_t flags) {
  Header header{op, engine, flags, {}, layerTag};
  for (size_t i = 0; i < kEngineCount; ++i)
    header.wait[i] = encodeWait(waits.completed[i], dispatched[i]);
  append(commands, encode(Command{header, std::move(payload)}));
  return ++dispatched[size_t(engine)];
}

Bytes StreamBuilder::finish(const Config &config) const {
  Bytes container(StreamHeader::kBytes);
  StreamHeader header{kMagic, kArch, kCommandVersion, hashOf(config), {}, {}, {}};
  header.commands = placeSection(container, SectionKind::COMMANDS, commands);
  header.descriptors = placeSection(container, SectionKind::DESCRIPTORS, descriptors);
  header.programs = placeSection(container, SectionKind::MICRO_PROGRAMS, programs);
  const auto bytes = encode(header);
  std::copy(bytes.begin(), bytes.end(), container.begin());
  return container;
}

} // namespace tenon::mortise
