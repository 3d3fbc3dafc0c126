// SPDX-License-Identifier: Apache-2.0
// Reads a package from untrusted bytes: header, FlatBuffer verifier, decoding within a budget,
// validation, hashes of the parts.
#include "package/Format.h"
#include "package/schema_generated.h"

namespace tenon::package {
namespace {

/// Tables and vectors of a FlatBuffer may be shared, so a small file can describe a huge value:
/// decoding stops beyond this many bytes.
constexpr uint64_t kMaxDecodedBytes = uint64_t(1) << 31;
constexpr uint32_t kMaxTables = 1 << 20;

/// Turns verified tables into values. The first failure sticks; what follows it is not used.
class Decoder {
public:
  explicit Decoder(const schema::Package &root) : root(root) {}
  Expected<Package> decode();

private:
  void decode(Tensor &to, const schema::Tensor &from);
  void decode(Operator &to, const schema::Operator &from);
  void decode(DebugEntry &to, const schema::DebugEntry &from);
  void decode(CostEntry &to, const schema::CostEntry &from);
  void decode(HostCode &to, const schema::HostCode &from);
  void decode(Partition &to, const schema::Partition &from);

  /// Takes \p bytes off the budget; false, and an error, once it is spent.
  bool spend(uint64_t bytes) {
    if (bytes > budget && error.empty())
      error = fmt::format("package unfolds to more than {} bytes", kMaxDecodedBytes);
    budget -= std::min(bytes, budget);
    return error.empty();
  }
  void decode(std::string &to, const flatbuffers::String &from) {
    if (spend(from.size() + sizeof(to)))
      to.assign(from.c_str(), from.size());
  }
  template <typename T> void decode(std::vector<T> &to, const flatbuffers::Vector<T> &from) {
    if (spend(uint64_t(from.size()) * sizeof(T)))
      to.assign(from.begin(), from.end());
  }
  template <typename T, typename Table>
  void decode(std::vector<T> &to, const flatbuffers::Vector<flatbuffers::Offset<Table>> &from) {
    if (!spend(uint64_t(from.size()) * sizeof(T)))
      return;
    to.resize(from.size());
    for (uint32_t i = 0; i < from.size() && error.empty(); ++i)
      decode(to[i], *from[i]);
  }
  void decodeBlob(Bytes &to, uint32_t index) {
    if (index < root.blobs()->size())
      return decode(to, *root.blobs()->Get(index)->data());
    if (error.empty())
      error = fmt::format("blob {} of {} is named", index, root.blobs()->size());
  }
  template <typename Enum> Enum decodeEnum(uint8_t value, Enum last, const char *what) {
    if (value > static_cast<uint8_t>(last) && error.empty())
      error = fmt::format("{} {} is unknown", what, value);
    return static_cast<Enum>(value);
  }

  const schema::Package &root;
  uint64_t budget = kMaxDecodedBytes;
  std::string error;
};

void Decoder::decode(Tensor &to, const schema::Tensor &from) {
  decode(to.name, *from.name());
  to.type = decodeEnum(from.type(), ElementType::Bool, "element type");
  decode(to.shape, *from.shape());
  to.scale = from.scale();
  to.zeroPoint = from.zero_point();
  to.arenaOffset = from.arena_offset();
}

void Decoder::decode(Operator &to, const schema::Operator &from) {
  to.index = from.index();
  decode(to.type, *from.type());
  decode(to.name, *from.name());
}

void Decoder::decode(DebugEntry &to, const schema::DebugEntry &from) {
  to.firstCommand = from.first_command();
  to.layerTag = from.layer_tag();
  decode(to.operators, *from.operators());
}

void Decoder::decode(CostEntry &to, const schema::CostEntry &from) {
  decode(to.name, *from.name());
  to.layerTag = from.layer_tag();
  decode(to.operators, *from.operators());
  to.cycles = from.cycles();
  to.macs = from.macs();
  to.dramBytes = from.dram_bytes();
}

void Decoder::decode(HostCode &to, const schema::HostCode &from) {
  decode(to.triple, *from.triple());
  decode(to.cpu, *from.cpu());
  decode(to.features, *from.features());
  decodeBlob(to.image, from.image());
}

void Decoder::decode(Partition &to, const schema::Partition &from) {
  decode(to.target, *from.target());
  to.kind = decodeEnum(from.kind(), CodeKind::Device, "kind of code");
  decode(to.inputs, *from.inputs());
  decode(to.outputs, *from.outputs());
  decode(to.operators, *from.operators());
  decode(to.symbol, *from.symbol());
  decode(to.deviceConfig, *from.device_config());
  to.deviceAbi = from.device_abi();
  decodeBlob(to.commands, from.commands());
  decodeBlob(to.constants, from.constants());
  to.scratchBytes = from.scratch_bytes();
  decode(to.debug, *from.debug());
  decode(to.costs, *from.costs());
}

Expected<Package> Decoder::decode() {
  Package package;
  decode(package.compilerVersion, *root.compiler_version());
  decode(package.modelName, *root.model_name());
  decode(package.tensors, *root.tensors());
  decode(package.inputs, *root.inputs());
  decode(package.outputs, *root.outputs());
  decode(package.operators, *root.operators());
  decode(package.hostCode, *root.host_code());
  decode(package.partitions, *root.partitions());
  package.arenaBytes = root.arena_bytes();
  std::copy_n(root.ir_hash()->bytes()->begin(), package.irHash.size(), package.irHash.begin());
  if (!error.empty())
    return fail("{}", error);
  return package;
}

/// The body's bytes at an address that FlatBuffers may load 8-byte numbers from.
ByteSpan aligned(ByteSpan body, Bytes &copy) {
  if (reinterpret_cast<uintptr_t>(body.data()) % alignof(uint64_t) == 0)
    return body;
  copy.assign(body.begin(), body.end());
  return copy;
}

Expected<void> checkHostAbi(const schema::Package &root) {
  if (root.host_abi() == kHostAbiVersion)
    return {};
  return fail("package was made by Tenon {} with host interface {}, this runtime has {}: {}",
              root.compiler_version()->str(), root.host_abi(), kHostAbiVersion,
              root.host_abi() > kHostAbiVersion ? "update the runtime or recompile the model"
                                                : "recompile the model");
}

Expected<void> checkHash(const char *part, const schema::Hash &stored, const Hash128 &actual) {
  if (std::equal(actual.begin(), actual.end(), stored.bytes()->begin()))
    return {};
  return fail("the {} are damaged: their hash is {}", part, toHex(actual));
}

Expected<void> check(const schema::Package &root, const Package &package) {
  if (auto ok = validate(package); !ok)
    return ok;
  if (auto ok = checkHash("command streams", *root.streams_hash(), hashStreams(package)); !ok)
    return ok;
  return checkHash("constants", *root.constants_hash(), hashConstants(package));
}

} // namespace

Expected<Package> read(ByteSpan bytes) {
  auto file = openFile(bytes);
  if (!file)
    return tl::unexpected(file.error());
  Bytes copy;
  ByteSpan body = aligned(*file, copy);
  flatbuffers::Verifier verifier(body.data(), body.size(), /*max_depth=*/8, kMaxTables);
  if (body.empty() || !schema::VerifyPackageBuffer(verifier))
    return fail("byte {}: the package's tables are damaged", kHeaderBytes);
  const schema::Package &root = *schema::GetPackage(body.data());
  if (auto ok = checkHostAbi(root); !ok)
    return tl::unexpected(ok.error());
  auto package = Decoder(root).decode();
  if (!package)
    return package;
  if (auto ok = check(root, *package); !ok)
    return tl::unexpected(ok.error());
  return package;
}

Expected<Hashes> readHashes(ByteSpan bytes) {
  auto package = read(bytes);
  if (!package)
    return tl::unexpected(package.error());
  return Hashes{package->irHash, hashStreams(*package), hashConstants(*package),
                *readAt<Hash128>(bytes, kHashOffset)};
}

} // namespace tenon::package
