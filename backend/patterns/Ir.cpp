// SPDX-License-Identifier: Apache-2.0
// Reading constants, shapes and units off the graph.
#include "backend/patterns/Ir.h"

#include "ir/OperatorLocation.h"
#include "mlir/IR/Matchers.h"

namespace tenon::patterns {

bool isConstant(mlir::Value value) {
  mlir::Operation *producer = value.getDefiningOp();
  return producer && producer->hasTrait<mlir::OpTrait::ConstantLike>();
}

std::optional<std::vector<int64_t>> constantOf(mlir::Value value) {
  mlir::DenseElementsAttr elements;
  if (auto shape = value.getDefiningOp<mlir::tosa::ConstShapeOp>())
    elements = shape.getValues();
  else if (!mlir::matchPattern(value, mlir::m_Constant(&elements)))
    return std::nullopt;
  if (!elements.getElementType().isSignlessInteger() && !elements.getElementType().isIndex())
    return std::nullopt;
  std::vector<int64_t> numbers;
  numbers.reserve(elements.getNumElements());
  for (const llvm::APInt &number : elements.getValues<llvm::APInt>())
    numbers.push_back(number.getSExtValue());
  return numbers;
}

std::optional<int64_t> splatOf(mlir::Value value) {
  auto numbers = constantOf(value);
  if (!numbers || numbers->empty() || !llvm::all_equal(*numbers))
    return std::nullopt;
  return numbers->front();
}

std::optional<std::vector<int64_t>> perChannelOf(mlir::Value value, size_t count) {
  auto numbers = constantOf(value);
  if (numbers && numbers->size() == 1)
    numbers->resize(count, numbers->front());
  return numbers && numbers->size() == count ? numbers : std::nullopt;
}

std::vector<int64_t> integersOf(mlir::Attribute attribute) {
  std::vector<int64_t> numbers;
  if (auto array = llvm::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(attribute))
    numbers.assign(array.asArrayRef().begin(), array.asArrayRef().end());
  else if (auto array = llvm::dyn_cast_or_null<mlir::DenseI32ArrayAttr>(attribute))
    numbers.assign(array.asArrayRef().begin(), array.asArrayRef().end());
  else if (auto array = llvm::dyn_cast_or_null<mlir::ArrayAttr>(attribute))
    for (mlir::Attribute entry : array)
      llvm::append_range(numbers, integersOf(entry));
  else if (auto elements = llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(attribute))
    for (const llvm::APInt &number : elements.getValues<llvm::APInt>())
      numbers.push_back(number.getSExtValue());
  else if (auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute))
    numbers.push_back(number.getValue().getSExtValue());
  return numbers;
}

bool sameUnit(mlir::Operation *a, mlir::Operation *b) {
  return ir::getModelOperators(a->getLoc()) == ir::getModelOperators(b->getLoc());
}

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::ShapedType>(value.getType()).getShape();
}

Extents extentsOf(llvm::ArrayRef<int64_t> shape) {
  Extents extents;
  if (!shape.empty())
    extents.c = shape.back();
  if (shape.size() > 1)
    extents.w = shape[shape.size() - 2];
  for (size_t i = 0; i + 2 < shape.size(); ++i)
    extents.h *= shape[i];
  return extents;
}

int64_t batchOf(mlir::Value value) {
  int64_t batch = 1;
  for (int64_t extent : shapeOf(value).drop_back(std::min<size_t>(3, shapeOf(value).size())))
    batch *= extent;
  return batch;
}

bool isInteger(mlir::Value value, unsigned width) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() > 0 &&
         type.getElementType().isSignlessInteger(width);
}

std::optional<std::array<int64_t, 3>> foldAmounts(llvm::ArrayRef<int64_t> amounts,
                                                  llvm::ArrayRef<int64_t> shape) {
  std::array<int64_t, 3> folded{};
  const size_t rank = shape.size();
  int64_t rowsBelow = 1;
  for (size_t fromRight = 0; fromRight < rank; ++fromRight) {
    const size_t axis = rank - 1 - fromRight;
    if (fromRight >= 2 && amounts[axis] != 0)
      for (size_t left = 0; left < axis; ++left)
        if (shape[left] != 1)
          return std::nullopt;
    if (fromRight < 2)
      folded[2 - fromRight] = amounts[axis];
    else {
      folded[0] += amounts[axis] * rowsBelow;
      rowsBelow *= shape[axis];
    }
  }
  return folded;
}

} // namespace tenon::patterns
