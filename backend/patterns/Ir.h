// SPDX-License-Identifier: Apache-2.0
// Reading constants, shapes and units off the graph.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Operation.h"

namespace tenon::patterns {

/// Rows, columns and channels of a tensor of any rank: the last dimension is channels, the one
/// before columns, all others together rows.
struct Extents {
  int64_t h = 1, w = 1, c = 1;
  bool operator==(const Extents &) const = default;
  int64_t count() const { return h * w * c; }
};

bool isConstant(mlir::Value value);
/// All numbers of an integer constant, also of a tosa.const_shape; a splat is spread.
std::optional<std::vector<int64_t>> constantOf(mlir::Value value);
/// The one number of a constant whose elements are equal.
std::optional<int64_t> splatOf(mlir::Value value);
/// \p count numbers of a constant that has as many or one.
std::optional<std::vector<int64_t>> perChannelOf(mlir::Value value, size_t count);
/// Integers of an attribute: an array of integers of either kind, or one integer.
std::vector<int64_t> integersOf(mlir::Attribute attribute);

/// Do the two stand for the same model operators (or both for none)?
bool sameUnit(mlir::Operation *a, mlir::Operation *b);

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
Extents extentsOf(llvm::ArrayRef<int64_t> shape);
inline Extents extentsOf(mlir::Value value) { return extentsOf(shapeOf(value)); }
/// Product of all dimensions before the last three.
int64_t batchOf(mlir::Value value);
/// A tensor with static shape, not empty, of signless integers of \p width bits.
bool isInteger(mlir::Value value, unsigned width);

/// What \p amounts along each dimension are in rows, columns and channels; nothing if a dimension
/// left of one with an amount is not 1, since rows are then no longer contiguous.
std::optional<std::array<int64_t, 3>> foldAmounts(llvm::ArrayRef<int64_t> amounts,
                                                  llvm::ArrayRef<int64_t> shape);

} // namespace tenon::patterns
