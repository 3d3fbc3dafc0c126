// SPDX-License-Identifier: Apache-2.0
// Serialises a package: FlatBuffer body behind a header; equal blobs are stored once.
#include <map>

#include "package/Format.h"
#include "package/schema_generated.h"

namespace tenon::package {
namespace {

using flatbuffers::Offset;
using flatbuffers::Vector;

/// Of a blob's first byte in the file: the most that FlatBuffers offers.
constexpr size_t kBlobAlignment = FLATBUFFERS_MAX_ALIGNMENT;

schema::Hash toSchema(const Hash128 &hash) {
  return schema::Hash(flatbuffers::span<const uint8_t, 16>(hash));
}

/// Builds the body. FlatBuffers wants children before parents: blobs are created as they come up,
/// their vector at the end.
class BodyWriter {
public:
  Bytes write(const Package &package);

private:
  Offset<schema::Tensor> add(const Tensor &tensor);
  Offset<schema::Operator> add(const Operator &op);
  Offset<schema::DebugEntry> add(const DebugEntry &entry);
  Offset<schema::CostEntry> add(const CostEntry &entry);
  Offset<schema::HostCode> add(const HostCode &code);
  Offset<schema::Partition> add(const Partition &partition);
  uint32_t addBlob(const Bytes &bytes);

  Offset<flatbuffers::String> text(const std::string &value) {
    return builder.CreateSharedString(value);
  }
  template <typename T> auto list(const std::vector<T> &values) {
    std::vector<decltype(add(values.front()))> offsets;
    for (const T &value : values)
      offsets.push_back(add(value));
    return builder.CreateVector(offsets);
  }
  Offset<Vector<uint32_t>> list(const std::vector<uint32_t> &values) {
    return builder.CreateVector(values);
  }

  flatbuffers::FlatBufferBuilder builder;
  std::vector<Offset<schema::Blob>> blobs;
  std::map<ByteSpan, uint32_t, bool (*)(ByteSpan, ByteSpan)> blobIndices{
      [](ByteSpan a, ByteSpan b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
      }};
};

Offset<schema::Tensor> BodyWriter::add(const Tensor &tensor) {
  auto name = text(tensor.name);
  auto shape = builder.CreateVector(tensor.shape);
  return schema::CreateTensor(builder, name, static_cast<uint8_t>(tensor.type), shape, tensor.scale,
                              tensor.zeroPoint, tensor.arenaOffset);
}

Offset<schema::Operator> BodyWriter::add(const Operator &op) {
  auto type = text(op.type);
  auto name = text(op.name);
  return schema::CreateOperator(builder, op.index, type, name);
}

Offset<schema::DebugEntry> BodyWriter::add(const DebugEntry &entry) {
  auto operators = list(entry.operators);
  return schema::CreateDebugEntry(builder, entry.firstCommand, entry.layerTag, operators);
}

Offset<schema::CostEntry> BodyWriter::add(const CostEntry &entry) {
  auto name = text(entry.name);
  auto operators = list(entry.operators);
  return schema::CreateCostEntry(builder, name, entry.layerTag, operators, entry.cycles, entry.macs,
                                 entry.dramBytes);
}

Offset<schema::HostCode> BodyWriter::add(const HostCode &code) {
  auto triple = text(code.triple);
  auto cpu = text(code.cpu);
  auto features = text(code.features);
  return schema::CreateHostCode(builder, triple, cpu, features, addBlob(code.image));
}

Offset<schema::Partition> BodyWriter::add(const Partition &partition) {
  auto target = text(partition.target);
  auto inputs = list(partition.inputs);
  auto outputs = list(partition.outputs);
  auto operators = list(partition.operators);
  auto symbol = text(partition.symbol);
  auto config = text(partition.deviceConfig);
  uint32_t commands = addBlob(partition.commands);
  uint32_t constants = addBlob(partition.constants);
  auto debug = list(partition.debug);
  auto costs = list(partition.costs);
  return schema::CreatePartition(builder, target, static_cast<uint8_t>(partition.kind), inputs,
                                 outputs, operators, symbol, config, partition.deviceAbi, commands,
                                 constants, partition.scratchBytes, debug, costs);
}

uint32_t BodyWriter::addBlob(const Bytes &bytes) {
  auto [entry, isNew] = blobIndices.try_emplace(ByteSpan(bytes), blobs.size());
  if (isNew) {
    builder.ForceVectorAlignment(bytes.size(), 1, kBlobAlignment);
    blobs.push_back(schema::CreateBlob(builder, builder.CreateVector(bytes)));
  }
  return entry->second;
}

Bytes BodyWriter::write(const Package &package) {
  auto version = text(package.compilerVersion);
  auto model = text(package.modelName);
  auto tensors = list(package.tensors);
  auto inputs = list(package.inputs);
  auto outputs = list(package.outputs);
  auto operators = list(package.operators);
  auto hostCode = list(package.hostCode);
  auto partitions = list(package.partitions);
  auto blobList = builder.CreateVector(blobs);
  auto ir = toSchema(package.irHash);
  auto streams = toSchema(hashStreams(package));
  auto constants = toSchema(hashConstants(package));
  builder.Finish(schema::CreatePackage(builder, version, model, kHostAbiVersion, &ir, &streams,
                                       &constants, tensors, inputs, outputs, operators, hostCode,
                                       partitions, package.arenaBytes, blobList));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

uint64_t blobBytesOf(const Package &package) {
  uint64_t total = 0;
  for (const HostCode &code : package.hostCode)
    total += code.image.size();
  for (const Partition &partition : package.partitions)
    total += partition.commands.size() + partition.constants.size();
  return total;
}

} // namespace

Expected<Bytes> write(const Package &package) {
  if (auto ok = validate(package); !ok)
    return tl::unexpected(ok.error());
  if (uint64_t total = blobBytesOf(package); total > kMaxFileBytes)
    return fail("code and constants of {} bytes exceed a package's {}", total, kMaxFileBytes);
  Bytes file = makeFile(BodyWriter().write(package), package.compilerVersion);
  if (file.size() > kMaxFileBytes)
    return fail("package of {} bytes exceeds {}", file.size(), kMaxFileBytes);
  return file;
}

} // namespace tenon::package
