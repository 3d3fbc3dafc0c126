// SPDX-License-Identifier: Apache-2.0
// The stream container: a builder for the compiler, a checked reader for everyone else.
#pragma once
#include <span>
#include <unordered_map>

#include "hardware/mortise/Config.h"
#include "hardware/mortise/generated/Isa.h"

namespace tenon::mortise {

/// Engines that have a wait count.
inline constexpr uint32_t kEngineCount = 5;

/// Commands each engine must have completed, counted from the job's begin without wrap-around.
struct Waits {
  std::array<uint64_t, kEngineCount> completed{};
  /// Waits for one more engine, keeping the later of two counts.
  Waits &on(Engine engine, uint64_t count);
  /// Waits for all that \p other waits for.
  Waits &on(const Waits &other);
};

/// Collects commands in program order and makes a container of them.
class StreamBuilder {
public:
  /// Index of the descriptor; an equal one is stored once. At most 65536 of them.
  uint16_t addDescriptor(const MacDescriptor &descriptor);
  uint16_t addDescriptor(const VecDescriptor &descriptor);

  /// Index of the first micro-op; an equal program is stored once.
  uint32_t addProgram(std::span<const MicroOp> program);

  /// Appends a command. \p waits must name earlier commands only (asserted: it is the compiler's
  /// own bug). Returns how many commands \p engine has now, this one included: what a later
  /// command waits for.
  uint64_t add(Opcode op, Engine engine, decltype(Command::payload) payload, uint16_t layerTag,
               const Waits &waits = {}, uint16_t flags = 0);

  /// Commands so far; the next command's index.
  uint32_t commandCount() const { return uint32_t(commands.size() / kCommandBytes); }
  /// Commands of \p engine so far.
  uint64_t issued(Engine engine) const { return dispatched[size_t(engine)]; }

  /// The container's bytes; the same calls give the same bytes. The caller has added END.
  Bytes finish(const Config &config) const;

private:
  uint16_t addDescriptorBytes(std::span<const uint8_t> bytes);

  Bytes commands, descriptors, programs;
  std::unordered_map<std::string, uint32_t> descriptorIndex, programIndex;
  std::array<uint64_t, kEngineCount + 1> dispatched{};
};

/// A container's parts; spans point into the bytes given to readStream.
struct StreamView {
  Hash128 configHash{};
  ByteSpan commands, descriptors, programs;

  uint32_t commandCount() const { return uint32_t(commands.size() / kCommandBytes); }
  uint32_t descriptorCount() const { return uint32_t(descriptors.size() / kDescriptorBytes); }
  uint32_t microOpCount() const { return uint32_t(programs.size() / kMicroOpBytes); }

  /// Parse one element; fail with the device's fault, also when \p index is past the end.
  Decoded<Command> command(uint32_t index) const;
  Decoded<MacDescriptor> macDescriptor(uint32_t index) const;
  Decoded<VecDescriptor> vecDescriptor(uint32_t index) const;
  Decoded<std::vector<MicroOp>> program(const VecDescriptor &descriptor) const;
};

/// Parses a container's header: magic, versions, sections in bounds. Elements are checked when
/// read. Fails with BAD_VERSION, naming the byte and which side is too old.
Decoded<StreamView> readStream(ByteSpan bytes);

/// The whole stream in words, one line a command, then descriptors and programs.
std::string disassemble(const StreamView &stream);

} // namespace tenon::mortise
