// SPDX-License-Identifier: Apache-2.0
// Which part of an operand a part of the output needs, dimension by dimension.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tenon::mortise {

/// Rows, columns, channels.
using Dims = std::array<uint32_t, 3>;
inline constexpr std::size_t kRows = 0, kColumns = 1, kChannels = 2;

struct Range {
  uint32_t begin = 0, size = 1;
  uint32_t end() const { return begin + size; }
  bool operator==(const Range &) const = default;
};
using Box = std::array<Range, 3>;

Dims sizeOf(const Box &box);

/// A range inside the tensor and the padding that windows reach around it.
struct AxisPart {
  Range range;
  uint32_t padBefore = 0, padAfter = 0;
};

/// How one dimension of an operand follows the output's. `extent` is the operand's.
struct AxisMap {
  enum class Kind : uint8_t {
    Window, ///< output i needs [i*stride - pad, i*stride - pad + span)
    Whole,  ///< all of it whatever the output: contracted, reduced or broadcast
    Divided ///< i / divisor
  };
  Kind kind = Kind::Window;
  uint32_t extent = 1;
  uint32_t span = 1, stride = 1; ///< Window
  int64_t pad = 0;               ///< Window; negative: the window begins that far inside
  uint32_t divisor = 1;          ///< Divided

  static AxisMap same(uint32_t extent) { return {Kind::Window, extent}; }
  static AxisMap whole(uint32_t extent) { return {Kind::Whole, extent}; }
  static AxisMap shifted(uint32_t extent, uint32_t by) {
    return {Kind::Window, extent, 1, 1, -int64_t(by)};
  }

  /// What \p out needs. Where windows lie wholly in the padding, one element that none reads, and
  /// padding before it as wide as they are: a command has no empty input.
  AxisPart partOf(Range out) const;
  /// Most elements that \p tile outputs need.
  uint32_t largestPart(uint32_t tile) const;
  bool moves() const { return kind != Kind::Whole; }
};

} // namespace tenon::mortise
