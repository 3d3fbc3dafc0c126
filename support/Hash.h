// SPDX-License-Identifier: Apache-2.0
// Content hashes: XXH3, 128 bits, for identity and accidental damage, not for secrecy.
#pragma once
#include <array>
#include <string>

#include "support/Bytes.h"

namespace tenon {

using Hash128 = std::array<uint8_t, 16>;

Hash128 hashBytes(ByteSpan bytes);

/// 32 lower-case hexadecimal digits.
std::string toHex(const Hash128 &hash);

} // namespace tenon
