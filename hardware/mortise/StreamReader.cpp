// SPDX-License-Identifier: Apache-2.0
// Reads stream containers from untrusted bytes.
#include "hardware/mortise/Stream.h"

namespace tenon::mortise {
namespace {

template <typename... Args>
tl::unexpected<DecodeError> refuse(FaultCode code, uint32_t offset,
                                   fmt::format_string<Args...> format, Args &&...args) {
  return tl::unexpected(
      DecodeError{code, offset, fmt::format(format, std::forward<Args>(args)...)});
}

Decoded<ByteSpan> sectionOf(ByteSpan container, const Section &section, SectionKind kind,
                            uint32_t elementBytes) {
  if (section.kind != kind)
    return refuse(FaultCode::BAD_VERSION, 32, "section {} stands where {} belongs",
                  nameOf(section.kind), nameOf(kind));
  if (section.offset % 128 || section.size % elementBytes)
    return refuse(FaultCode::BAD_VERSION, section.offset, "section {}: offset {} or size {} is odd",
                  nameOf(kind), section.offset, section.size);
  if (section.offset > container.size() || container.size() - section.offset < section.size)
    return refuse(FaultCode::BAD_VERSION, section.offset,
                  "section {}: bytes {} to {} lie past the end at {}", nameOf(kind), section.offset,
                  uint64_t(section.offset) + section.size, container.size());
  return container.subspan(section.offset, section.size);
}

Decoded<StreamHeader> readHeader(ByteSpan bytes) {
  auto header = decode<StreamHeader>(bytes);
  if (!header)
    return header;
  if (header->magic != kMagic)
    return refuse(FaultCode::BAD_VERSION, 0, "byte 0: no Mortise stream");
  if (header->arch != kArch)
    return refuse(FaultCode::BAD_VERSION, 4, "byte 4: stream for architecture {}, this is {}",
                  header->arch, kArch);
  if (header->commandVersion != kCommandVersion)
    return refuse(FaultCode::BAD_VERSION, 6,
                  "byte 6: stream has command version {}, this device {}; update the {}",
                  header->commandVersion, kCommandVersion,
                  header->commandVersion > kCommandVersion ? "device" : "compiler");
  return header;
}

template <typename T> Decoded<T> element(ByteSpan section, uint64_t index, FaultCode pastEnd) {
  if (index >= section.size() / T::kBytes)
    return refuse(pastEnd, 0, "index {} is past the last of {}", index, section.size() / T::kBytes);
  return decode<T>(section.subspan(index * T::kBytes, T::kBytes));
}

template <typename T> Decoded<T> descriptor(ByteSpan section, uint32_t index, DescriptorKind kind) {
  auto value = element<T>(section, index, FaultCode::BAD_DESC);
  if (value && value->kind != kind)
    return refuse(FaultCode::BAD_DESC, 0, "descriptor {} is for {}, not {}", index,
                  nameOf(value->kind), nameOf(kind));
  return value;
}

} // namespace

Decoded<StreamView> readStream(ByteSpan bytes) {
  auto header = readHeader(bytes);
  if (!header)
    return tl::unexpected(header.error());
  auto commands = sectionOf(bytes, header->commands, SectionKind::COMMANDS, kCommandBytes);
  if (!commands)
    return tl::unexpected(commands.error());
  auto descriptors =
      sectionOf(bytes, header->descriptors, SectionKind::DESCRIPTORS, kDescriptorBytes);
  if (!descriptors)
    return tl::unexpected(descriptors.error());
  auto programs = sectionOf(bytes, header->programs, SectionKind::MICRO_PROGRAMS, kMicroOpBytes);
  if (!programs)
    return tl::unexpected(programs.error());
  return StreamView{header->configHash, *commands, *descriptors, *programs};
}

Decoded<Command> StreamView::command(uint32_t index) const {
  if (index >= commandCount())
    return refuse(FaultCode::REGION_RANGE, 0, "command {}: the stream ends without END", index);
  return decode<Command>(commands.subspan(size_t(index) * kCommandBytes, kCommandBytes));
}

Decoded<MacDescriptor> StreamView::macDescriptor(uint32_t index) const {
  return descriptor<MacDescriptor>(descriptors, index, DescriptorKind::MAC);
}

Decoded<VecDescriptor> StreamView::vecDescriptor(uint32_t index) const {
  return descriptor<VecDescriptor>(descriptors, index, DescriptorKind::VEC);
}

Decoded<std::vector<MicroOp>> StreamView::program(const VecDescriptor &descriptor) const {
  std::vector<MicroOp> program;
  for (uint32_t i = 0; i < descriptor.microOps; ++i) {
    auto op = element<MicroOp>(programs, uint64_t(descriptor.program) + i, FaultCode::UPROG);
    if (!op)
      return tl::unexpected(op.error());
    program.push_back(*op);
  }
  return program;
}

} // namespace tenon::mortise
