// SPDX-License-Identifier: Apache-2.0
// Little-endian reads and writes in byte buffers, bounds-checked at the door.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "support/Error.h"

namespace tenon {

using ByteSpan = std::span<const uint8_t>;
using Bytes = std::vector<uint8_t>;

/// Reads a T at \p offset; fails, naming the offset, if the buffer ends before.
template <typename T> Expected<T> readAt(ByteSpan bytes, uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return fail("byte {}: {} bytes wanted, the buffer ends at {}", offset, sizeof(T), bytes.size());
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// Appends the bytes of \p value.
template <typename T> void append(Bytes &bytes, const T &value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto *raw = reinterpret_cast<const uint8_t *>(&value);
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

/// Appends zeros until the size is a multiple of \p alignment.
inline void padTo(Bytes &bytes, size_t alignment) {
  while (bytes.size() % alignment)
    bytes.push_back(0);
}

} // namespace tenon
