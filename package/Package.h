// SPDX-License-Identifier: Apache-2.0
// What a `.tenon` file holds, as plain values: the only thing compiler and runtime share.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/Bytes.h"
#include "support/Error.h"
#include "support/Hash.h"

namespace tenon::package {

/// Version of the file format; a reader takes exactly its own.
inline constexpr uint32_t kFormatVersion = 1;
/// Version of the C call that enters host code (backend/host, runtime/session).
inline constexpr uint32_t kHostAbiVersion = 1;

/// Limits that a reader enforces and a writer refuses to exceed.
inline constexpr uint64_t kMaxFileBytes = uint64_t(1) << 30;
inline constexpr uint64_t kMaxArenaBytes = uint64_t(1) << 32;
inline constexpr size_t kMaxNameBytes = 4096;
inline constexpr size_t kMaxRank = 8;
/// Every tensor's buffer begins at a multiple of this many bytes.
inline constexpr uint64_t kTensorAlignment = 64;

enum class ElementType : uint8_t { I8, U8, I16, I32, I64, F16, F32, F64, Bool };

/// Bytes of one element.
uint32_t sizeOf(ElementType type);
/// "int8", "uint8", "float32"...
const char *nameOf(ElementType type);

/// A tensor at a partition's or the network's edge, dense, row-major.
struct Tensor {
  std::string name;
  ElementType type = ElementType::I8;
  std::vector<int64_t> shape; ///< static; empty for a scalar
  double scale = 0;           ///< 0 where not quantised per tensor
  int64_t zeroPoint = 0;
  /// Memory plan: byte offset in the session's arena, a multiple of kTensorAlignment. Only for
  /// what partitions hand each other; the network's inputs and outputs have buffers of their own.
  uint64_t arenaOffset = 0;
};

/// Bytes of \p tensor, dense; nothing if a dimension is negative or the product overflows.
std::optional<uint64_t> sizeOf(const Tensor &tensor);

/// An operator of the model file, for reports.
struct Operator {
  uint32_t index = 0;
  std::string type, name;
};

/// Command index (not byte offset) range start -> operators it works for.
struct DebugEntry {
  uint32_t firstCommand = 0;
  uint32_t layerTag = 0;
  std::vector<uint32_t> operators; ///< model operator indices
};

/// A layer's cost as the compiler estimated it.
struct CostEntry {
  std::string name; ///< composite, "mortise.conv2d"
  uint32_t layerTag = 0;
  std::vector<uint32_t> operators;
  uint64_t cycles = 0, macs = 0, dramBytes = 0;
};

/// Object code of one host CPU: an ET_DYN image with one C entry a partition.
struct HostCode {
  std::string triple, cpu, features;
  Bytes image;
};

/// How a partition is carried out.
enum class CodeKind : uint8_t {
  Host,  ///< `symbol` in the package's host code
  Device ///< `commands` on the device named `target`
};

/// One step of the schedule.
struct Partition {
  std::string target; ///< backend's name, "mortise"
  CodeKind kind = CodeKind::Host;
  std::vector<uint32_t> inputs, outputs; ///< indices into Package::tensors
  std::vector<uint32_t> operators;       ///< model operator indices, ascending
  std::string symbol;                    ///< Host: the entry's name
  std::string deviceConfig;              ///< Device: configuration the stream was made for
  uint32_t deviceAbi = 0;                ///< Device: command version
  Bytes commands, constants;             ///< Device
  uint64_t scratchBytes = 0;             ///< Device: region 2
  std::vector<DebugEntry> debug;
  std::vector<CostEntry> costs;
};

/// A compiled network. Partitions stand in execution order.
struct Package {
  std::string compilerVersion, modelName;
  std::vector<Tensor> tensors;
  std::vector<uint32_t> inputs, outputs; ///< model order; an output may repeat or be an input
  std::vector<Operator> operators;       ///< by ascending index
  std::vector<HostCode> hostCode;
  std::vector<Partition> partitions;
  uint64_t arenaBytes = 0;
  Hash128 irHash{}; ///< of the canonical IR; the other hashes are made by write
};

/// XXH3 hashes of a package's parts and of the whole file.
struct Hashes {
  Hash128 ir{}, streams{}, constants{}, file{};
};

/// Is \p package fit to run: index ranges, shapes, arena bounds, order of production, tables.
/// Fails with the part at fault. Both write and read ask this.
Expected<void> validate(const Package &package);

/// The part of validate that concerns one partition's code and tables, beside \p package's
/// operators and host code; its tensors are not looked at.
Expected<void> validatePartition(const Package &package, const Partition &partition);

/// Serialises; the same value gives the same bytes. Fails if \p package is not valid or too big.
Expected<Bytes> write(const Package &package);

/// Parses \p bytes, which are untrusted, and verifies versions, hashes and all that validate
/// does. Fails with what is wrong and, for a version, which side to update.
Expected<Package> read(ByteSpan bytes);

/// As read, but returns the hashes.
Expected<Hashes> readHashes(ByteSpan bytes);

} // namespace tenon::package
