// SPDX-License-Identifier: Apache-2.0
// The device side of a library-style NPU in C++: one function a composite. Headers only, C++20,
// needs tenon_device.h and tenon_call_stream.h beside it and nothing else.
//
// Programs come from files and are not trusted: load checks every place against its buffer, so what
// a function is handed lies inside; what it reads from its command it must check itself (require).
#ifndef TENON_DEVICE_HPP
#define TENON_DEVICE_HPP

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tenon_call_stream.h"
#include "tenon_device.h"

namespace tenon::device {

/// What a function throws to stop the job; the text reaches the user.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char *otherwise) {
  if (!holds)
    throw Fault(otherwise);
}

struct Bytes {
  uint8_t *data = nullptr;
  uint64_t size = 0;
  uint32_t region = 0; ///< tenon_call_region
};

/// One call of a composite. Spans have exactly the size the compiler gave.
class Call {
public:
  Call(const std::vector<Bytes> &operands, uint32_t inputs, uint32_t outputs,
       std::span<const uint8_t> command)
      : operands(operands), inputCount(inputs), outputCount(outputs), text(command) {}

  /// The first bytes that the code function put.
  template <typename T> T command() const {
    static_assert(std::is_trivially_copyable_v<T>);
    require(text.size() >= sizeof(T), "the command is too short");
    T value;
    std::memcpy(&value, text.data(), sizeof(T));
    return value;
  }
  std::span<const uint8_t> bytes() const { return text; }

  template <typename T> std::span<const T> input(uint32_t index) const {
    require(index < inputCount, "an input is missing");
    return typed<const T>(operands[index]);
  }
  template <typename T> std::span<T> output(uint32_t index = 0) const {
    require(index < outputCount, "an output is missing");
    return typed<T>(operands[inputCount + index]);
  }
  /// Constants and scratch, each numbered from 0 in the order the code function added them.
  template <typename T> std::span<const T> constant(uint32_t index) const {
    return typed<const T>(added(TENON_CALL_CONSTANTS, index));
  }
  template <typename T> std::span<T> scratch(uint32_t index) const {
    return typed<T>(added(TENON_CALL_SCRATCH, index));
  }

  uint64_t cycles = 0, macs = 0; ///< what the function counted, for the profile

private:
  template <typename T> static std::span<T> typed(const Bytes &bytes) {
    require(bytes.size % sizeof(T) == 0 && uintptr_t(bytes.data) % alignof(T) == 0,
            "an operand has another type");
    return {reinterpret_cast<T *>(bytes.data), size_t(bytes.size / sizeof(T))};
  }
  const Bytes &added(uint32_t region, uint32_t index) const {
    for (size_t i = inputCount + outputCount; i < operands.size(); ++i)
      if (operands[i].region == region && index-- == 0)
        return operands[i];
    throw Fault("an operand is missing");
  }

  const std::vector<Bytes> &operands;
  uint32_t inputCount, outputCount;
  std::span<const uint8_t> text;
};

/// A composite's name, without the target's, and what runs it.
struct Function {
  const char *composite;
  void (*run)(Call &call);
};

struct Npu {
  const char *target, *uriScheme;
  uint32_t commandVersion; ///< as in the compiler side's table
  std::vector<Function> functions;
};

/// RESCALE of docs/numerics.md.
inline int32_t rescale(int64_t value, int32_t multiplier, int32_t shift, bool doubleRounding) {
  require(shift >= 1 && shift <= 62, "a shift is out of range");
  int64_t round = int64_t(1) << (shift - 1);
  if (doubleRounding && shift > 31)
    round += value >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
  const auto product = int64_t(uint64_t(value) * uint64_t(int64_t(multiplier))); // may wrap
  return int32_t(int64_t(uint64_t(product) + uint64_t(round)) >> shift);
}

/// To int8 within [low, high].
inline int8_t clampTo(int32_t value, int32_t low, int32_t high) {
  return int8_t(std::min(std::max(value, low), high));
}

namespace detail {

struct ParsedCall {
  const Function *function = nullptr; ///< null copies operand 0 to operand 1
  uint32_t inputs = 0, outputs = 0;
  std::vector<tenon_call_operand> operands;
  std::span<const uint8_t> command;
};

/// Sizes that places are held against.
struct Regions {
  std::vector<uint64_t> inputs, outputs;
  uint64_t scratch = 0, constants = 0;

  uint64_t sizeOf(const tenon_call_operand &place) const {
    switch (place.region) {
    case TENON_CALL_INPUT:
      return place.edge < inputs.size() ? inputs[place.edge] : 0;
    case TENON_CALL_OUTPUT:
      return place.edge < outputs.size() ? outputs[place.edge] : 0;
    case TENON_CALL_SCRATCH:
      return scratch;
    case TENON_CALL_CONSTANTS:
      return constants;
    default:
      return 0;
    }
  }
};

/// Reads a stream; throws Fault where it breaks off or a place is outside.
class Reader {
public:
  Reader(const Npu &npu, const Regions &regions, std::span<const uint8_t> bytes)
      : npu(npu), regions(regions), rest(bytes) {}

  std::vector<ParsedCall> run() {
    const auto header = take<tenon_call_stream_header>();
    require(header.magic == TENON_CALL_STREAM_MAGIC, "the commands are no call stream");
    for (uint32_t i = 0; i < header.name_count; ++i)
      functions.push_back(find(takeBytes(take<uint32_t>(), 4)));
    std::vector<ParsedCall> calls;
    for (uint32_t i = 0; i < header.call_count; ++i)
      calls.push_back(takeCall());
    return calls;
  }

private:
  template <typename T> T take() {
    require(rest.size() >= sizeof(T), "the commands break off");
    T value;
    std::memcpy(&value, rest.data(), sizeof(T));
    rest = rest.subspan(sizeof(T));
    return value;
  }
  /// \p size bytes, then zeros until they and \p before fill a multiple of 8.
  std::span<const uint8_t> takeBytes(uint64_t size, uint64_t before) {
    const uint64_t padded = (size + before + 7) / 8 * 8 - before;
    require(rest.size() >= padded, "the commands break off");
    auto bytes = rest.first(size);
    rest = rest.subspan(padded);
    return bytes;
  }
  const Function *find(std::span<const uint8_t> bytes) const {
    std::string name(bytes.begin(), bytes.end());
    for (const Function &function : npu.functions)
      if (name == function.composite)
        return &function;
    if (name.empty())
      return nullptr;
    std::ranges::replace_if(name, [](char c) { return c < ' ' || c > '~'; }, '?');
    throw Fault("no function runs \"" + name + "\"; rebuild the device library");
  }
  void check(const tenon_call_operand &place, bool written) const {
    const uint64_t size = regions.sizeOf(place);
    require(place.offset <= size && place.size <= size - place.offset,
            "a place is outside its buffer");
    require(!written || place.region == TENON_CALL_OUTPUT || place.region == TENON_CALL_SCRATCH,
            "a call writes what is read only");
  }
  ParsedCall takeCall() {
    const auto header = take<tenon_call_header>();
    require(header.name < functions.size(), "a call has no name");
    require(uint64_t(header.input_count) + header.output_count <= header.operand_count,
            "a call lacks operands");
    ParsedCall call{functions[header.name], header.input_count, header.output_count, {}, {}};
    for (uint32_t i = 0; i < header.operand_count; ++i) {
      call.operands.push_back(take<tenon_call_operand>());
      check(call.operands.back(),
            i >= header.input_count && i - header.input_count < header.output_count);
    }
    call.command = takeBytes(header.byte_count, 0);
    require(call.function || (call.inputs == 1 && call.outputs == 1 &&
                              call.operands[0].size == call.operands[1].size),
            "a copy has operands of two sizes");
    return call;
  }

  const Npu &npu;
  const Regions &regions;
  std::span<const uint8_t> rest;
  std::vector<const Function *> functions;
};

/// 64 bytes, so that arrays of them begin at multiples of 64.
struct alignas(64) Line {
  uint8_t bytes[64] = {};
};
using Memory = std::vector<Line>;

/// Zeros.
inline Memory allocate(uint64_t size) {
  require(size <= UINT64_MAX / 2, "there is not that much memory");
  return Memory(size_t(size / sizeof(Line) + 1));
}

inline uint8_t *bytesOf(Memory &memory) { return memory.front().bytes; }

inline std::span<const uint8_t> spanOf(const void *data, uint64_t size) {
  return {static_cast<const uint8_t *>(data), size_t(size)};
}

class Program {
public:
  Program(const Npu &npu, const tenon_device_code &code) {
    require(code.command_version == npu.commandVersion,
            "the package has another command version; compile the model anew or rebuild the device "
            "library");
    regions.inputs.assign(code.input_sizes, code.input_sizes + code.input_count);
    regions.outputs.assign(code.output_sizes, code.output_sizes + code.output_count);
    regions.scratch = code.scratch_size, regions.constants = code.constants_size;
    calls = Reader(npu, regions, spanOf(code.commands, code.commands_size)).run();
    scratch = allocate(code.scratch_size);
    // The package aligns its parts to less than a vector of numbers may need.
    constants = allocate(code.constants_size);
    if (code.constants_size)
      std::memcpy(bytesOf(constants), code.constants, code.constants_size);
  }

  void run(const tenon_device_buffer *inputs, const tenon_device_buffer *outputs,
           tenon_device_counters &counters, uint32_t &at) {
    for (size_t i = 0; i < regions.inputs.size(); ++i)
      require(inputs[i].size >= regions.inputs[i], "an input is too small");
    for (size_t i = 0; i < regions.outputs.size(); ++i)
      require(outputs[i].size >= regions.outputs[i], "an output is too small");
    for (at = 0; at < calls.size(); ++at)
      runCall(calls[at], inputs, outputs, counters);
  }

  const char *nameOf(uint32_t call) const {
    return call < calls.size() && calls[call].function ? calls[call].function->composite : "copy";
  }

private:
  Bytes resolve(const tenon_call_operand &place, const tenon_device_buffer *inputs,
                const tenon_device_buffer *outputs) {
    uint8_t *base =
        place.region == TENON_CALL_INPUT     ? static_cast<uint8_t *>(inputs[place.edge].data)
        : place.region == TENON_CALL_OUTPUT  ? static_cast<uint8_t *>(outputs[place.edge].data)
        : place.region == TENON_CALL_SCRATCH ? bytesOf(scratch)
                                             : bytesOf(constants);
    return {base + place.offset, place.size, place.region};
  }

  void runCall(const ParsedCall &parsed, const tenon_device_buffer *inputs,
               const tenon_device_buffer *outputs, tenon_device_counters &counters) {
    std::vector<Bytes> operands;
    for (const tenon_call_operand &place : parsed.operands)
      operands.push_back(resolve(place, inputs, outputs));
    if (!parsed.function) {
      std::memmove(operands[1].data, operands[0].data, operands[1].size);
      return;
    }
    Call call(operands, parsed.inputs, parsed.outputs, parsed.command);
    parsed.function->run(call);
    counters.cycles += call.cycles;
    counters.macs += call.macs;
  }

  Regions regions;
  std::vector<ParsedCall> calls;
  Memory scratch, constants;
};

inline int report(char *error, size_t size, const std::string &text) {
  std::snprintf(error, size, "%s", text.c_str());
  return 1;
}

/// Runs \p work; an exception becomes a line in \p error.
template <typename Work> int guarded(char *error, size_t size, Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception &thrown) {
    return report(error, size, thrown.what());
  } catch (...) {
    return report(error, size, "the device failed");
  }
}

} // namespace detail
} // namespace tenon::device

struct tenon_device {};

struct tenon_device_program {
  tenon::device::detail::Program program;
};

namespace tenon::device::detail {

inline int open(const char *, tenon_device **device, char *error, size_t size) {
  return guarded(error, size, [&] { *device = new tenon_device(); });
}
inline void close(tenon_device *device) { delete device; }

inline int load(const Npu &npu, const tenon_device_code *code, tenon_device_program **program,
                char *error, size_t size) {
  return guarded(error, size, [&] { *program = new tenon_device_program{Program(npu, *code)}; });
}
inline void unload(tenon_device *, tenon_device_program *program) { delete program; }

inline int run(tenon_device *, tenon_device_program *loaded, const tenon_device_buffer *inputs,
               const tenon_device_buffer *outputs, tenon_device_counters *counters,
               tenon_device_fault *fault, char *error, size_t size) {
  uint32_t at = 0;
  std::string reason;
  try {
    loaded->program.run(inputs, outputs, *counters, at);
    return 0;
  } catch (const std::exception &thrown) {
    reason = thrown.what();
  } catch (...) {
    reason = "the function failed";
  }
  fault->code = 1;
  std::snprintf(fault->name, sizeof(fault->name), "CALL");
  fault->command_index = fault->layer_tag = at;
  return report(error, size,
                "call " + std::to_string(at) + " (" + loaded->program.nameOf(at) + "): " + reason);
}

} // namespace tenon::device::detail

/// Makes the library that this stands in a device; \p function returns `const tenon::device::Npu
/// &`.
#define TENON_DEVICE(function)                                                                     \
  extern "C" __attribute__((visibility("default"))) const tenon_device_api *tenon_device_v1() {    \
    static const tenon_device_api api = {                                                          \
        TENON_DEVICE_VERSION,                                                                      \
        function().target,                                                                         \
        function().uriScheme,                                                                      \
        tenon::device::detail::open,                                                               \
        tenon::device::detail::close,                                                              \
        [](tenon_device *, const tenon_device_code *code, tenon_device_program **program,          \
           char *error, size_t size) {                                                             \
          return tenon::device::detail::load(function(), code, program, error, size);              \
        },                                                                                         \
        tenon::device::detail::unload,                                                             \
        tenon::device::detail::run,                                                                \
    };                                                                                             \
    return &api;                                                                                   \
  }

#endif // TENON_DEVICE_HPP
