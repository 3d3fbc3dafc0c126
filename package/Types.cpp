// SPDX-License-Identifier: Apache-2.0
// Sizes and names of element types.
#include "package/Package.h"

#include "support/Checked.h"

namespace tenon::package {
namespace {

struct TypeRow {
  uint32_t bytes;
  const char *name;
};
constexpr TypeRow kTypes[] = {{1, "int8"},    {1, "uint8"},   {2, "int16"},
                              {4, "int32"},   {8, "int64"},   {2, "float16"},
                              {4, "float32"}, {8, "float64"}, {1, "bool"}};

} // namespace

uint32_t sizeOf(ElementType type) { return kTypes[static_cast<size_t>(type)].bytes; }
const char *nameOf(ElementType type) { return kTypes[static_cast<size_t>(type)].name; }

std::optional<uint64_t> sizeOf(const Tensor &tensor) {
  auto elements = checkedProduct(tensor.shape);
  if (!elements)
    return std::nullopt;
  return checkedMul<uint64_t>(*elements, sizeOf(tensor.type));
}

} // namespace tenon::package
