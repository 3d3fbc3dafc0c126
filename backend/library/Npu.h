// SPDX-License-Identifier: Apache-2.0
// An NPU as a table: what it takes, within which limits, and one function a composite that writes
// its code. Everything else of a backend is Tenon's. Needs nothing but C++20.
//
// Functions are called by one thread at a time, must give the same bytes for the same view, and may
// throw: the operator then goes to the next target, with the exception's text as reason.
#pragma once
#include <span>
#include <type_traits>
#include <variant>

#include "backend/api/Version.h"
#include "backend/library/Views.h"

namespace tenon::backend {
struct BackendPlugin;
}

namespace tenon::library {

/// What a composite stands for. A convolution's bias, requantisation and activation, and an
/// addition's activation, belong to it.
enum class Operator {
  Conv2d,
  DepthwiseConv2d,
  FullyConnected,
  Add,
  AveragePool2d,
  MaxPool2d,
  Reshape,
  SignFlip
};

/// "conv2d", "depthwise_conv2d", "fully_connected", "add", "average_pool2d", "max_pool2d",
/// "reshape", "sign_flip".
const char *nameOf(Operator op);

/// One constraint: each number that the parameter has (a kernel has two) must lie within. The names
/// of parameters are in docs/library-style.md; an unknown one is an error when the target is made.
struct Limit {
  std::string parameter;
  int64_t minimum = INT64_MIN, maximum = INT64_MAX; ///< both taken
  std::vector<int64_t> values;                      ///< if not empty, only these are taken
  std::string remedy;                               ///< "" for "use stride 4 or less"
};

inline Limit atMost(std::string parameter, int64_t maximum, std::string remedy = "") {
  return {std::move(parameter), INT64_MIN, maximum, {}, std::move(remedy)};
}
inline Limit between(std::string parameter, int64_t minimum, int64_t maximum,
                     std::string remedy = "") {
  return {std::move(parameter), minimum, maximum, {}, std::move(remedy)};
}
inline Limit oneOf(std::string parameter, std::vector<int64_t> values, std::string remedy = "") {
  return {std::move(parameter), INT64_MIN, INT64_MAX, std::move(values), std::move(remedy)};
}

/// What a code function writes into. The device gets, a call: the composite's name, the view's
/// tensors (inputs, then the output), then the constants and scratch in the order they were added
/// here, and the bytes that were put.
class Emitter {
public:
  /// Appends the bytes of \p value, as they lie in memory (little-endian).
  template <typename T> void put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    putBytes(&value, sizeof(T));
  }
  template <typename T> void put(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    putBytes(values.data(), values.size_bytes());
  }
  /// Adds constants; equal ones of a partition are kept once. Returns where they lie.
  template <typename T> Place constant(const std::vector<T> &values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return constantBytes(values.data(), values.size() * sizeof(T));
  }
  virtual void putBytes(const void *data, size_t sizeBytes) = 0;
  virtual Place constantBytes(const void *data, size_t sizeBytes) = 0;
  /// Memory for this call alone.
  virtual Place scratch(uint64_t sizeBytes) = 0;
  /// Declines the operator after all; what was written is dropped. \p rule becomes
  /// "NAME.COMPOSITE.RULE"; the other words as in a limit's refusal.
  virtual void refuse(const std::string &rule, const std::string &reason, const std::string &value,
                      const std::string &limit, const std::string &remedy) = 0;
  /// For reports: the device's time for this call.
  virtual void setCycles(uint64_t cycles) = 0;
  /// The text after ':' in --target, one of Npu::configs.
  virtual const std::string &config() const = 0;

protected:
  ~Emitter() = default;
};

using Code =
    std::variant<std::monostate, void (*)(const Convolution &, Emitter &),
                 void (*)(const Addition &, Emitter &), void (*)(const Pooling &, Emitter &),
                 void (*)(const SignFlip &, Emitter &)>;

/// A row of the table. Rows that come first are preferred.
struct Composite {
  std::string name; ///< "conv2d"; lower-case word, once in a table
  Operator takes = Operator::Conv2d;
  std::vector<Limit> limits = {};
  Code code = {};         ///< of the operation's view; none for reshape, which only renames memory
  bool fusePad = false;   ///< convolutions: take a pad operator before it into the padding
  bool fuseTable = false; ///< convolutions: take a table (logistic, tanh) after it
};

/// One call of a program.
struct ProgramCall {
  std::string composite;       ///< "conv2d"; "" copies operand 0 to operand 1
  std::vector<Place> operands; ///< as Emitter says: inputs, one output, constants and scratch
  uint32_t inputs = 0;         ///< how many of them are inputs
  std::vector<uint8_t> bytes;
};

/// A partition when all its code is written.
struct Program {
  std::vector<ProgramCall> calls; ///< in order of execution
  std::vector<uint64_t> inputBytes, outputBytes;
  uint64_t scratchBytes = 0;
};

/// What the partitioner weighs: work over rate, a launch, and the edges' transfer.
struct Speed {
  double macsPerNs = 64, bytesPerNs = 8;
  uint64_t launchNs = 2000;
};

struct Npu {
  std::string name, summary;   ///< the word in --target; a line for `tenon devices`
  uint32_t commandVersion = 1; ///< the device library checks it; count up when bytes change meaning
  Speed speed = {};
  std::vector<std::string> configs = {}; ///< words that may follow ':' in --target
  std::vector<Composite> composites = {};
  /// Makes the device's commands of a whole partition; if null, the stream of
  /// package/tenon_call_stream.h, which runtime/device/tenon_device.hpp runs.
  std::vector<uint8_t> (*link)(const Program &program) = nullptr;
};

/// What a plug-in was compiled with; plain numbers, so that any other side can read them.
struct TableAbi {
  uint32_t interfaceVersion = backend::kInterfaceVersion;
  uint32_t tableBytes = sizeof(Npu), viewBytes = sizeof(Convolution) + sizeof(Addition);
};

/// The plug-in of a table, which lives as long as the process. A table that contradicts itself, or
/// was compiled with another C++ library, is reported when a target is made.
const backend::BackendPlugin *makePlugin(const Npu &npu, const TableAbi &abi);

} // namespace tenon::library

/// Makes the library that this stands in a backend plug-in; \p function returns `const Npu &`.
#define TENON_NPU(function)                                                                        \
  extern "C" __attribute__((visibility("default"))) const tenon::backend::BackendPlugin *          \
  tenon_backend_v1() {                                                                             \
    return tenon::library::makePlugin(function(), tenon::library::TableAbi{});                     \
  }
