// SPDX-License-Identifier: Apache-2.0
// What the host code of a package may import: checked after linking and again before loading.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "support/Bytes.h"

namespace tenon::hostkernels {

/// Symbols of the C library that host code may refer to, sorted. Nothing here does input or
/// output, or keeps state.
inline constexpr std::array<std::string_view, 25> kAllowedImports = {
    "acosf",   "asinf",  "atan2f", "atanf",      "cbrtf",  "cosf",  "coshf", "erfcf",  "erff",
    "exp2f",   "expf",   "expm1f", "free",       "log1pf", "log2f", "logf",  "malloc", "memcpy",
    "memmove", "memset", "powf",   "roundevenf", "sinf",   "tanf",  "tanhf"};

static_assert(std::ranges::is_sorted(kAllowedImports));

constexpr bool isAllowedImport(std::string_view symbol) {
  return std::ranges::binary_search(kAllowedImports, symbol);
}

/// Checks that \p image, an untrusted 64-bit little-endian ELF shared object, needs no other
/// library and imports only what is allowed. Fails naming the symbol, or the byte offset
/// where the file breaks off.
Expected<void> checkImports(ByteSpan image);

} // namespace tenon::hostkernels
