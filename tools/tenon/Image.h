// SPDX-License-Identifier: Apache-2.0
// Photographs as network inputs.
#pragma once
#include "tools/tenon/Array.h"

namespace tenon::cli {

/// Decodes \p file (JPEG, PNG, BMP; untrusted) and makes it an input of \p type and
/// \p shape ([1,H,W,C] or [H,W,C]; C 1 for grey, 3 for red, green, blue): the whole picture is
/// resized to H x W with a triangle filter, then a pixel p of 0 to 255 becomes p for uint8 and
/// float32, p - 128 for int8. Fails on other shapes and types, and on what is no picture.
Expected<Array> imageAsInput(ByteSpan file, package::ElementType type,
                             const std::vector<int64_t> &shape);

} // namespace tenon::cli
