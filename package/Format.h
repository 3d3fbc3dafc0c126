// SPDX-License-Identifier: Apache-2.0
// The 64-byte header of a `.tenon` file: identity, version, size and hash, readable by every
// version of Tenon.
#pragma once
#include <string>

#include "package/Package.h"

namespace tenon::package {

/// Little-endian layout. The body, a FlatBuffer of schema.fbs, begins at byte kHeaderBytes.
///     0  u8[8]    magic, 89 'T' 'E' 'N' 'O' 'N' 0D 0A
///     8  u8[16]   XXH3 of bytes 24 to the end
///     24 u32      format version
///     28 u32      0
///     32 u64      bytes of the whole file
///     40 char[24] version of the compiler, NUL-padded
inline constexpr uint64_t kHeaderBytes = 64;
inline constexpr uint64_t kHashOffset = 8;
inline constexpr uint64_t kHashedFrom = 24;

/// Does \p file begin as a package does?
bool hasMagic(ByteSpan file);

/// Header and \p body as one file.
Bytes makeFile(ByteSpan body, const std::string &compilerVersion);

/// Makes the header's size and hash those of \p file, which has at least kHeaderBytes bytes.
void seal(Bytes &file);

/// Checks magic, version, size and hash of \p file; returns its body. The span points into \p file.
Expected<ByteSpan> openFile(ByteSpan file);

/// The streams' and the constants' hashes as the body stores them: over the hash of each
/// partition's bytes, in order, so that sharing does not change them.
Hash128 hashStreams(const Package &package);
Hash128 hashConstants(const Package &package);

} // namespace tenon::package
