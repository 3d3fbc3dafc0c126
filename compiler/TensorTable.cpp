// SPDX-License-Identifier: Apache-2.0
// Names, types and scales of tensors at partitions' edges.
#include "compiler/TensorTable.h"

#include "ir/Attributes.h"
#include "ir/ModelTensor.h"

namespace tenon::compiler {
namespace {

using package::ElementType;

std::optional<ElementType> typeOf(mlir::Type type) {
  if (type.isInteger(1))
    return ElementType::Bool;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(32))
    return ElementType::I32;
  if (type.isInteger(64))
    return ElementType::I64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isF32())
    return ElementType::F32;
  return type.isF64() ? std::optional(ElementType::F64) : std::nullopt;
}

/// The type called \p name outside, if it has the same bytes as \p inside.
std::optional<ElementType> typeCalled(llvm::StringRef name, ElementType inside) {
  for (int type = 0; type <= int(ElementType::Bool); ++type)
    if (name == package::nameOf(ElementType(type)) &&
        package::sizeOf(ElementType(type)) == package::sizeOf(inside))
      return ElementType(type);
  return std::nullopt;
}

std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Takes over what @main's signature says; fails on an element type that does not fit.
Expected<void> describeEdge(mlir::DictionaryAttr attributes, package::Tensor &tensor) {
  if (auto name = attributes.getAs<mlir::StringAttr>(ir::kName))
    tensor.name = name.str();
  if (auto scale = attributes.getAs<mlir::FloatAttr>(ir::kScale))
    tensor.scale = scale.getValueAsDouble();
  if (auto zeroPoint = attributes.getAs<mlir::IntegerAttr>(ir::kZeroPoint))
    tensor.zeroPoint = zeroPoint.getInt();
  auto element = attributes.getAs<mlir::StringAttr>(ir::kElement);
  if (!element)
    return {};
  auto type = typeCalled(element.getValue(), tensor.type);
  if (!type)
    return fail("tensor \"{}\": element type {} does not fit {}", tensor.name, element.str(),
                package::nameOf(tensor.type));
  tensor.type = *type;
  return {};
}

} // namespace

TensorTable::TensorTable(mlir::ModuleOp module)
    : module(module), main(module.lookupSymbol<mlir::func::FuncOp>("main")) {}

Expected<uint32_t> TensorTable::numberOf(mlir::Value value) {
  if (auto found = numbers.find(value); found != numbers.end())
    return found->second;
  auto tensor = describe(value);
  if (!tensor)
    return tl::unexpected(tensor.error());
  tensors.push_back(std::move(*tensor));
  return numbers[value] = tensors.size() - 1;
}

mlir::DictionaryAttr TensorTable::edgeAttributes(mlir::Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return main.getArgAttrDict(argument.getArgNumber());
  mlir::Operation *end = main.getBody().front().getTerminator();
  for (auto [index, returned] : llvm::enumerate(end->getOperands()))
    if (returned == value)
      return main.getResultAttrDict(index);
  return {};
}

/// Looks into the partition that makes \p value.
void TensorTable::describeInside(mlir::Value value, package::Tensor &tensor) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  auto call = result ? llvm::dyn_cast<mlir::func::CallOp>(result.getOwner()) : nullptr;
  auto function = call ? module.lookupSymbol<mlir::func::FuncOp>(call.getCallee()) : nullptr;
  if (!function)
    return;
  mlir::Operation *end = function.getBody().front().getTerminator();
  ir::ModelTensor made = ir::describeTensor(end->getOperand(result.getResultNumber()));
  tensor.name = made.name;
  tensor.scale = made.scale;
  tensor.zeroPoint = made.zeroPoint;
}

Expected<package::Tensor> TensorTable::describe(mlir::Value value) {
  package::Tensor tensor;
  describeInside(value, tensor);
  mlir::DictionaryAttr attributes = edgeAttributes(value);
  if (auto name = attributes ? attributes.getAs<mlir::StringAttr>(ir::kName) : nullptr)
    tensor.name = name.str();
  auto shaped = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  auto type = shaped && shaped.hasStaticShape() ? typeOf(shaped.getElementType()) : std::nullopt;
  if (!type)
    return fail("tensor \"{}\": {} cannot pass between partitions", tensor.name,
                textOf(value.getType()));
  tensor.type = *type;
  tensor.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  if (attributes)
    if (auto ok = describeEdge(attributes, tensor); !ok)
      return tl::unexpected(ok.error());
  return tensor;
}

} // namespace tenon::compiler
