// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic that reports overflow instead of wrapping; used on every
// size or offset that comes from outside.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

namespace tenon {

template <std::integral T> std::optional<T> checkedAdd(T a, T b) {
  T sum;
  if (__builtin_add_overflow(a, b, &sum))
    return std::nullopt;
  return sum;
}

template <std::integral T> std::optional<T> checkedMul(T a, T b) {
  T product;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

/// Product of non-negative dimensions, nothing if one is negative or it overflows.
inline std::optional<int64_t> checkedProduct(std::span<const int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims)
    if (dim < 0 || __builtin_mul_overflow(product, dim, &product))
      return std::nullopt;
  return product;
}

template <std::integral T> constexpr T ceilDiv(T a, T b) { return (a + b - 1) / b; }
template <std::integral T> constexpr T alignUp(T a, T b) { return ceilDiv(a, b) * b; }

} // namespace tenon
