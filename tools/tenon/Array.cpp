// SPDX-License-Identifier: Apache-2.0
// Sizes, descriptions and single values of arrays.
#include "tools/tenon/Array.h"

#include "support/Checked.h"

namespace tenon::cli {
namespace {

using package::ElementType;

template <typename T> double read(const Array &array, size_t index) {
  T value{};
  std::memcpy(&value, array.data.data() + index * sizeof(T), sizeof(T));
  return double(value);
}

} // namespace

std::optional<uint64_t> byteSizeOf(ElementType type, const std::vector<int64_t> &shape) {
  auto count = checkedProduct(shape);
  return count ? checkedMul(uint64_t(*count), uint64_t(package::sizeOf(type))) : std::nullopt;
}

std::string describe(ElementType type, const std::vector<int64_t> &shape) {
  return fmt::format("{}[{}]", package::nameOf(type), fmt::join(shape, ","));
}

double valueAt(const Array &array, size_t index) {
  switch (array.type) {
  case ElementType::I8:
    return read<int8_t>(array, index);
  case ElementType::U8:
  case ElementType::Bool:
    return read<uint8_t>(array, index);
  case ElementType::I16:
    return read<int16_t>(array, index);
  case ElementType::I32:
    return read<int32_t>(array, index);
  case ElementType::I64:
    return read<int64_t>(array, index);
  case ElementType::F16:
    return double(read<_Float16>(array, index));
  case ElementType::F32:
    return read<float>(array, index);
  case ElementType::F64:
    return read<double>(array, index);
  }
  return 0;
}

} // namespace tenon::cli
