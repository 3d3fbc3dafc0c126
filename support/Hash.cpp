// SPDX-License-Identifier: Apache-2.0
// Content hashes by the xxHash library.
#include "support/Hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tenon {

Hash128 hashBytes(ByteSpan bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  Hash128 hash;
  std::memcpy(hash.data(), canonical.digest, hash.size());
  return hash;
}

std::string toHex(const Hash128 &hash) {
  std::string text;
  for (uint8_t byte : hash)
    text += fmt::format("{:02x}", byte);
  return text;
}

} // namespace tenon
