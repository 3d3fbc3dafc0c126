// SPDX-License-Identifier: Apache-2.0
#include "frontend/tflite/Composite.h"

#include "ir/TenonDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tenon::tflite {

namespace arith = mlir::arith;
using mlir::Value;

Value emitComposite(GraphBuilder &builder, llvm::StringRef name, mlir::ValueRange inputs,
                    mlir::Type result, mlir::DictionaryAttr parameters,
                    const std::function<Value(mlir::ValueRange)> &body) {
  mlir::OpBuilder &b = builder.b;
  auto composite = ir::CompositeOp::create(b, builder.loc, mlir::TypeRange{result},
                                           b.getStringAttr(name), inputs, parameters);
  mlir::Region &region = composite.getBody();
  mlir::Block &block = region.empty() ? region.emplaceBlock() : region.front();
  block.clear();
  for (Value input : inputs)
    block.addArgument(input.getType(), builder.loc);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&block);
  Value value = body(block.getArguments());
  ir::YieldOp::create(b, builder.loc, mlir::ValueRange{value});
  return composite.getResult(0);
}

llvm::SmallVector<Value> emitGeneric(GraphBuilder &builder, mlir::ValueRange inputs,
                                     llvm::ArrayRef<mlir::Type> elements, const ScalarBody &body) {
  mlir::OpBuilder &b = builder.b;
  const auto shape = llvm::cast<mlir::RankedTensorType>(inputs[0].getType()).getShape();
  const auto rank = unsigned(shape.size());
  llvm::SmallVector<mlir::AffineMap> maps;
  for (Value input : inputs) {
    const auto from = llvm::cast<mlir::RankedTensorType>(input.getType()).getShape();
    llvm::SmallVector<mlir::AffineExpr> results;
    for (unsigned i = 0; i < rank; ++i)
      results.push_back(from[i] == 1 && shape[i] != 1 ? b.getAffineConstantExpr(0)
                                                      : b.getAffineDimExpr(i));
    maps.push_back(mlir::AffineMap::get(rank, 0, results, b.getContext()));
  }
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<Value> inits;
  for (mlir::Type element : elements) {
    types.push_back(mlir::RankedTensorType::get(shape, element));
    inits.push_back(mlir::tensor::EmptyOp::create(b, builder.loc, shape, element));
    maps.push_back(b.getMultiDimIdentityMap(rank));
  }
  llvm::SmallVector<mlir::utils::IteratorType> iterators(rank, mlir::utils::IteratorType::parallel);
  auto generic = mlir::linalg::GenericOp::create(
      b, builder.loc, types, inputs, inits, maps, iterators,
      [&](mlir::OpBuilder &nested, mlir::Location loc, mlir::ValueRange arguments) {
        ScalarBuilder scalar(nested, loc);
        const auto results = body(scalar, arguments.take_front(inputs.size()));
        mlir::linalg::YieldOp::create(nested, loc, results);
      });
  return llvm::SmallVector<Value>(generic.getResults());
}

Value ScalarBuilder::constant(int64_t value, unsigned bits) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(bits), value));
}
Value ScalarBuilder::real(double value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(float(value)));
}
Value ScalarBuilder::extend(Value value, unsigned bits) {
  return arith::ExtSIOp::create(b, loc, b.getIntegerType(bits), value);
}
Value ScalarBuilder::truncate(Value value, unsigned bits) {
  return arith::TruncIOp::create(b, loc, b.getIntegerType(bits), value);
}
Value ScalarBuilder::add(Value a, Value c) { return arith::AddIOp::create(b, loc, a, c); }
Value ScalarBuilder::sub(Value a, Value c) { return arith::SubIOp::create(b, loc, a, c); }
Value ScalarBuilder::mul(Value a, Value c) { return arith::MulIOp::create(b, loc, a, c); }
Value ScalarBuilder::shiftLeft(Value a, Value c) { return arith::ShLIOp::create(b, loc, a, c); }
Value ScalarBuilder::shiftRight(Value a, Value c) { return arith::ShRSIOp::create(b, loc, a, c); }
Value ScalarBuilder::smaller(Value a, Value c) { return arith::MinSIOp::create(b, loc, a, c); }
Value ScalarBuilder::larger(Value a, Value c) { return arith::MaxSIOp::create(b, loc, a, c); }
Value ScalarBuilder::isNegative(Value a) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, a,
                               constant(0, a.getType().getIntOrFloatBitWidth()));
}
Value ScalarBuilder::select(Value condition, Value a, Value c) {
  return arith::SelectOp::create(b, loc, condition, a, c);
}

Value ScalarBuilder::highMul(Value a, Value c) {
  Value product = mul(extend(a, 64), extend(c, 64));
  Value rounded = add(product, constant(int64_t(1) << 30, 64));
  return truncate(shiftRight(rounded, constant(31, 64)), 32);
}

Value ScalarBuilder::roundingShift(Value a, Value exponent) {
  const unsigned bits = a.getType().getIntOrFloatBitWidth();
  Value wide = bits == 64 ? a : extend(a, 64);
  Value shift = exponent.getType().getIntOrFloatBitWidth() == 64 ? exponent : extend(exponent, 64);
  Value half = shiftRight(shiftLeft(constant(1, 64), shift), constant(1, 64));
  Value away = select(isNegative(wide), constant(-1, 64), constant(0, 64));
  Value result = shiftRight(add(add(wide, half), away), shift);
  return bits == 64 ? result : truncate(result, bits);
}

} // namespace tenon::tflite
