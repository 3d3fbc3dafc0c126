// SPDX-License-Identifier: Apache-2.0
// The header of a `.tenon` file, and the hashes over its parts.
#include "package/Format.h"

#include <algorithm>

namespace tenon::package {
namespace {

constexpr uint8_t kMagic[8] = {0x89, 'T', 'E', 'N', 'O', 'N', '\r', '\n'};
constexpr uint64_t kVersionOffset = 24, kSizeOffset = 32, kCompilerOffset = 40;
constexpr size_t kCompilerBytes = kHeaderBytes - kCompilerOffset;

/// The maker's version, for a message: only printable characters survive.
std::string compilerOf(ByteSpan file) {
  std::string text;
  for (uint8_t c : file.subspan(kCompilerOffset, kCompilerBytes))
    if (c > ' ' && c < 0x7f)
      text += static_cast<char>(c);
  return text;
}

Expected<void> checkVersion(ByteSpan file) {
  uint32_t format = *readAt<uint32_t>(file, kVersionOffset);
  if (format == kFormatVersion)
    return {};
  return fail("package was made by Tenon {} with format {}, this runtime reads {}: {}",
              compilerOf(file), format, kFormatVersion,
              format > kFormatVersion ? "update the runtime or recompile the model"
                                      : "recompile the model");
}

Expected<void> checkSize(ByteSpan file) {
  uint64_t stated = *readAt<uint64_t>(file, kSizeOffset);
  if (stated != file.size())
    return fail("byte {}: package should have {} bytes but has {}: it was cut short or damaged",
                kSizeOffset, stated, file.size());
  if (stated > kMaxFileBytes)
    return fail("package of {} bytes exceeds {}", stated, kMaxFileBytes);
  return {};
}

Expected<void> checkHash(ByteSpan file) {
  Hash128 actual = hashBytes(file.subspan(kHashedFrom));
  if (std::equal(actual.begin(), actual.end(), file.begin() + kHashOffset))
    return {};
  return fail("byte {}: package is damaged: its hash is {}, its content's {}", kHashOffset,
              toHex(*readAt<Hash128>(file, kHashOffset)), toHex(actual));
}

template <typename Field> Hash128 hashEach(const Package &package, Field field) {
  Bytes hashes;
  for (const Partition &partition : package.partitions)
    append(hashes, hashBytes(partition.*field));
  return hashBytes(hashes);
}

} // namespace

Bytes makeFile(ByteSpan body, const std::string &compilerVersion) {
  Bytes file;
  file.reserve(kHeaderBytes + body.size());
  file.insert(file.end(), std::begin(kMagic), std::end(kMagic));
  append(file, Hash128{});
  append(file, kFormatVersion);
  append(file, uint32_t(0));
  append(file, uint64_t(0));
  std::string version = compilerVersion.substr(0, kCompilerBytes);
  file.insert(file.end(), version.begin(), version.end());
  file.resize(kHeaderBytes);
  file.insert(file.end(), body.begin(), body.end());
  seal(file);
  return file;
}

void seal(Bytes &file) {
  uint64_t size = file.size();
  std::memcpy(file.data() + kSizeOffset, &size, sizeof(size));
  Hash128 hash = hashBytes(ByteSpan(file).subspan(kHashedFrom));
  std::copy(hash.begin(), hash.end(), file.begin() + kHashOffset);
}

bool hasMagic(ByteSpan file) {
  return file.size() >= std::size(kMagic) &&
         std::equal(std::begin(kMagic), std::end(kMagic), file.begin());
}

Expected<ByteSpan> openFile(ByteSpan file) {
  if (file.size() < kHeaderBytes)
    return fail("package of {} bytes is shorter than its header of {}", file.size(), kHeaderBytes);
  if (!hasMagic(file))
    return fail("byte 0: not a Tenon package");
  if (auto ok = checkVersion(file); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = checkSize(file); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = checkHash(file); !ok)
    return tl::unexpected(ok.error());
  return file.subspan(kHeaderBytes);
}

Hash128 hashStreams(const Package &package) { return hashEach(package, &Partition::commands); }
Hash128 hashConstants(const Package &package) { return hashEach(package, &Partition::constants); }

} // namespace tenon::package
