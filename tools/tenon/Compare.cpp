// SPDX-License-Identifier: Apache-2.0
// Bit comparison of tensors.
#include "tools/tenon/Compare.h"

#include <cmath>
#include <limits>

namespace tenon::cli {
namespace {

using package::ElementType;

std::vector<int64_t> withoutOnes(const std::vector<int64_t> &shape) {
  std::vector<int64_t> dims;
  for (int64_t dim : shape)
    if (dim != 1)
      dims.push_back(dim);
  return dims;
}

/// \p array with the type int8 if it is uint8.
Array asSigned(Array array) {
  if (array.type != ElementType::U8)
    return array;
  array.type = ElementType::I8;
  for (uint8_t &byte : array.data)
    byte ^= 0x80;
  return array;
}

double distance(double a, double b) {
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

Difference compareSame(const Array &a, const Array &b) {
  const size_t size = package::sizeOf(a.type);
  Difference difference;
  difference.elements = a.data.size() / size;
  for (size_t i = 0; i < difference.elements; ++i) {
    if (std::memcmp(a.data.data() + i * size, b.data.data() + i * size, size) == 0)
      continue;
    if (difference.different++ == 0)
      difference.first = i;
    difference.largest = std::max(difference.largest, distance(valueAt(a, i), valueAt(b, i)));
  }
  return difference;
}

} // namespace

Expected<Difference> compareArrays(const Array &a, const Array &b) {
  const bool mixed = (a.type == ElementType::I8 && b.type == ElementType::U8) ||
                     (a.type == ElementType::U8 && b.type == ElementType::I8);
  if ((a.type != b.type && !mixed) || withoutOnes(a.shape) != withoutOnes(b.shape))
    return fail("{} against {}", describe(a.type, a.shape), describe(b.type, b.shape));
  return mixed ? compareSame(asSigned(a), asSigned(b)) : compareSame(a, b);
}

} // namespace tenon::cli
