// SPDX-License-Identifier: Apache-2.0
#include "frontend/tflite/GraphBuilder.h"

#include <cstring>

#include "ir/Attributes.h"
#include "ir/OperatorLocation.h"
#include "mlir/IR/Verifier.h"

namespace tenon::tflite {

namespace tosa = mlir::tosa;
using mlir::Value;

GraphBuilder::GraphBuilder(mlir::MLIRContext &context, const Model &model)
    : b(&context), loc(mlir::UnknownLoc::get(&context)), model(model) {}

mlir::Type GraphBuilder::elementType(TensorType type) {
  switch (type) {
  case TensorType::INT8:
  case TensorType::UINT8:
    return b.getI8Type();
  case TensorType::INT16:
    return b.getI16Type();
  case TensorType::INT32:
    return b.getI32Type();
  case TensorType::INT64:
    return b.getI64Type();
  case TensorType::FLOAT32:
    return b.getF32Type();
  case TensorType::BOOL:
    return b.getI1Type();
  default:
    return {};
  }
}

mlir::DictionaryAttr GraphBuilder::edgeAttributes(const Tensor &tensor) {
  mlir::NamedAttrList attributes;
  attributes.set(ir::kName, b.getStringAttr(tensor.name));
  attributes.set(ir::kElement, b.getStringAttr(nameOf(tensor.type)));
  if (tensor.quantization.perTensor()) {
    attributes.set(ir::kScale, b.getF64FloatAttr(tensor.scale()));
    attributes.set(ir::kZeroPoint, b.getI64IntegerAttr(tensor.zeroPoint()));
  }
  return attributes.getDictionary(b.getContext());
}

Value GraphBuilder::edgeCast(Value value, bool entering) {
  const Multiplier identity{1 << 30, 30};
  const mlir::Value multiplier = constants<int32_t>(std::array{identity.value}, {1});
  const mlir::Value shift = constants<int8_t>(std::array{int8_t(identity.shift)}, {1});
  // 128 as the bits of an i8.
  return tosa::RescaleOp::create(b, loc, value.getType(), value, multiplier, shift,
                                 scalar(entering ? -128 : 0, i8()),
                                 scalar(entering ? 0 : -128, i8()), true,
                                 tosa::RoundingMode::SINGLE_ROUND, false, entering, !entering);
}

Expected<void> GraphBuilder::start() {
  module = mlir::ModuleOp::create(loc);
  llvm::SmallVector<mlir::Type> inputs;
  for (int32_t index : model.inputs) {
    const Tensor &tensor = model.tensors[size_t(index)];
    mlir::Type element = elementType(tensor.type);
    if (!element)
      return fail("input \"{}\" is {}, which is not supported; use int8, uint8 or float32",
                  tensor.name, nameOf(tensor.type));
    inputs.push_back(type(tensor.shape, element));
  }
  b.setInsertionPointToEnd(module->getBody());
  main = mlir::func::FuncOp::create(b, loc, "main", b.getFunctionType(inputs, {}));
  b.setInsertionPointToStart(main.addEntryBlock());
  values.assign(model.tensors.size(), {});
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const Tensor &tensor = model.tensors[size_t(model.inputs[i])];
    main.setArgAttrs(unsigned(i), edgeAttributes(tensor));
    Value value = main.getArgument(unsigned(i));
    values[size_t(model.inputs[i])] =
        tensor.type == TensorType::UINT8 ? edgeCast(value, true) : value;
  }
  return {};
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>> GraphBuilder::finish() {
  loc = mlir::UnknownLoc::get(b.getContext());
  current = nullptr;
  llvm::SmallVector<Value> results;
  for (int32_t index : model.outputs) {
    const Tensor &tensor = model.tensors[size_t(index)];
    auto value = valueOf(index);
    if (!value)
      return fail(value.error(), fmt::format("output \"{}\"", tensor.name));
    results.push_back(tensor.type == TensorType::UINT8 ? edgeCast(*value, false) : *value);
  }
  mlir::func::ReturnOp::create(b, loc, results);
  main.setType(
      b.getFunctionType(main.getArgumentTypes(), mlir::TypeRange(mlir::ValueRange(results))));
  for (size_t i = 0; i < model.outputs.size(); ++i)
    main.setResultAttrs(unsigned(i), edgeAttributes(model.tensors[size_t(model.outputs[i])]));
  return std::move(module);
}

void GraphBuilder::beginOperator(const Operator &op) {
  current = &op;
  const std::string name =
      op.outputs.empty() ? std::string() : model.tensors[size_t(op.outputs[0])].name;
  loc = ir::makeOperatorLocation(b.getContext(), {op.index, op.type, name});
}

const Tensor *GraphBuilder::inputTensor(size_t i) const {
  if (i >= current->inputs.size() || current->inputs[i] < 0)
    return nullptr;
  return &model.tensors[size_t(current->inputs[i])];
}

const Tensor *GraphBuilder::outputTensor(size_t i) const {
  return i < current->outputs.size() ? &model.tensors[size_t(current->outputs[i])] : nullptr;
}

Expected<Value> GraphBuilder::input(size_t i) {
  if (!inputTensor(i))
    return fail("input {} is missing", i);
  return valueOf(current->inputs[i]);
}

Expected<Value> GraphBuilder::valueOf(int32_t tensor) {
  Value &value = values[size_t(tensor)];
  if (value)
    return value;
  const Tensor &source = model.tensors[size_t(tensor)];
  if (!source.isConstant)
    return fail("tensor \"{}\" is read before an operator makes it", source.name);
  auto made = constantOf(source);
  if (made)
    value = *made;
  return made;
}

Expected<Value> GraphBuilder::constantOf(const Tensor &tensor) {
  mlir::Type element = elementType(tensor.type);
  if (!element || tensor.type == TensorType::BOOL)
    return fail("constant \"{}\" is {}, which is not supported", tensor.name, nameOf(tensor.type));
  std::vector<char> bytes(tensor.data.size());
  std::memcpy(bytes.data(), tensor.data.data(), bytes.size());
  if (tensor.type == TensorType::UINT8)
    for (char &byte : bytes)
      byte = char(byte ^ 0x80);
  return constant(mlir::DenseElementsAttr::getFromRawBuffer(type(tensor.shape, element), bytes));
}

Expected<void> GraphBuilder::setOutput(size_t i, Value value) {
  const Tensor *tensor = outputTensor(i);
  if (!tensor)
    return fail("output {} is missing", i);
  const auto stated = type(tensor->shape, elementType(tensor->type));
  if (value.getType() != stated) {
    std::string given, said;
    llvm::raw_string_ostream(given) << value.getType();
    llvm::raw_string_ostream(said) << stated;
    return fail("it gives {}, but the model states {}", given, said);
  }
  values[size_t(current->outputs[i])] = value;
  mlir::Operation *maker = value.getDefiningOp();
  if (!maker || !tensor->quantization.perTensor())
    return {};
  maker->setAttr(ir::kQuant,
                 b.getDictionaryAttr(
                     {b.getNamedAttr("scale", b.getF64FloatAttr(tensor->scale())),
                      b.getNamedAttr("zero_point", b.getI64IntegerAttr(zeroPointOf(*tensor)))}));
  return {};
}

Expected<std::vector<int64_t>> GraphBuilder::integers(size_t i) const {
  const Tensor *tensor = inputTensor(i);
  if (!tensor || !tensor->isConstant)
    return fail("input {} must be a constant", i);
  std::vector<int64_t> result;
  const size_t count = size_t(tensor->elementCount());
  if (tensor->type == TensorType::INT32)
    for (size_t k = 0; k < count; ++k) {
      int32_t value;
      std::memcpy(&value, tensor->data.data() + 4 * k, 4);
      result.push_back(value);
    }
  else if (tensor->type == TensorType::INT64)
    for (size_t k = 0; k < count; ++k) {
      int64_t value;
      std::memcpy(&value, tensor->data.data() + 8 * k, 8);
      result.push_back(value);
    }
  else
    return fail("input {} is {}, not int32 or int64", i, nameOf(tensor->type));
  return result;
}

Value GraphBuilder::constant(mlir::DenseElementsAttr values) {
  return tosa::ConstOp::create(b, loc, values.getType(), values);
}

Value GraphBuilder::scalar(int64_t value, mlir::Type element) {
  const auto scalarType = type({1}, element);
  if (llvm::isa<mlir::FloatType>(element))
    return constant(mlir::DenseElementsAttr::get(
        scalarType, mlir::Attribute(b.getFloatAttr(element, double(value)))));
  return constant(
      mlir::DenseElementsAttr::get(scalarType, mlir::Attribute(b.getIntegerAttr(element, value))));
}

Value GraphBuilder::shapeOf(const Shape &shape) {
  const auto count = int64_t(shape.size());
  const auto values = mlir::DenseIntElementsAttr::get(
      mlir::RankedTensorType::get({count}, b.getIndexType()), llvm::ArrayRef<int64_t>(shape));
  return tosa::ConstShapeOp::create(b, loc, tosa::shapeType::get(b.getContext(), int(count)),
                                    values);
}

Value GraphBuilder::reshape(Value value, const Shape &shape) {
  const auto from = llvm::cast<mlir::RankedTensorType>(value.getType());
  if (from.getShape() == llvm::ArrayRef<int64_t>(shape))
    return value;
  return tosa::ReshapeOp::create(b, loc, type(shape, from.getElementType()), value, shapeOf(shape));
}

Value GraphBuilder::rescale(Value value, mlir::Type element,
                            std::span<const Multiplier> multipliers, int64_t inputZeroPoint,
                            int64_t outputZeroPoint, tosa::RoundingMode rounding) {
  std::vector<int32_t> factors;
  std::vector<int8_t> shifts;
  for (const Multiplier &multiplier : multipliers) {
    factors.push_back(multiplier.value);
    shifts.push_back(int8_t(multiplier.shift));
  }
  const auto from = llvm::cast<mlir::RankedTensorType>(value.getType());
  const auto count = int64_t(multipliers.size());
  return tosa::RescaleOp::create(b, loc, type(Shape(from.getShape()), element), value,
                                 constants<int32_t>(std::span<const int32_t>(factors), {count}),
                                 constants<int8_t>(std::span<const int8_t>(shifts), {count}),
                                 scalar(inputZeroPoint, from.getElementType()),
                                 scalar(outputZeroPoint, element), true, rounding, count > 1, false,
                                 false);
}

Value GraphBuilder::widen(Value value, int64_t zeroPoint, int leftShift) {
  const Multiplier exact{1 << 30, 30 - leftShift};
  const auto from = llvm::cast<mlir::RankedTensorType>(value.getType());
  const mlir::Value factor = constants<int32_t>(std::array{exact.value}, {1});
  const mlir::Value shift = constants<int8_t>(std::array{int8_t(exact.shift)}, {1});
  return tosa::RescaleOp::create(b, loc, type(Shape(from.getShape()), i32()), value, factor, shift,
                                 scalar(zeroPoint, i8()), scalar(0, i32()), true,
                                 tosa::RoundingMode::SINGLE_ROUND, false, false, false);
}

Value GraphBuilder::clamp(Value value, const Bounds &bounds) {
  if (bounds.all())
    return value;
  return tosa::ClampOp::create(
      b, loc, value.getType(), value, b.getI8IntegerAttr(int8_t(bounds.low)),
      b.getI8IntegerAttr(int8_t(bounds.high)), tosa::NanPropagationMode::PROPAGATE);
}

Value GraphBuilder::clampFloat(Value value, float low, float high) {
  return tosa::ClampOp::create(b, loc, value.getType(), value, b.getF32FloatAttr(low),
                               b.getF32FloatAttr(high), tosa::NanPropagationMode::PROPAGATE);
}

Value GraphBuilder::slice(Value value, const Shape &start, const Shape &size) {
  const auto from = llvm::cast<mlir::RankedTensorType>(value.getType());
  if (from.getShape() == llvm::ArrayRef<int64_t>(size))
    return value;
  return tosa::SliceOp::create(b, loc, type(size, from.getElementType()), value, shapeOf(start),
                               shapeOf(size));
}

} // namespace tenon::tflite
