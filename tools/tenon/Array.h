// SPDX-License-Identifier: Apache-2.0
// A tensor with its values, as files and sessions exchange it.
#pragma once
#include <string>
#include <vector>

#include "package/Package.h"
#include "support/Bytes.h"

namespace tenon::cli {

/// Dense, row-major, little endian.
struct Array {
  package::ElementType type = package::ElementType::I8;
  std::vector<int64_t> shape; ///< empty for a scalar
  Bytes data;
};

/// Bytes that \p type and \p shape take; nothing on overflow or a negative dimension.
std::optional<uint64_t> byteSizeOf(package::ElementType type, const std::vector<int64_t> &shape);

/// "uint8[1,224,224,3]"
std::string describe(package::ElementType type, const std::vector<int64_t> &shape);

/// Element \p index as a number.
double valueAt(const Array &array, size_t index);

} // namespace tenon::cli
