// SPDX-License-Identifier: Apache-2.0
// call-kernels: `tenon.custom "host.kernel"` to a call on memory, constants to globals.
#include "backend/host/Passes.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::host {
namespace {

constexpr int64_t kAlignmentBytes = 64;

struct CallKernels : mlir::PassWrapper<CallKernels, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallKernels)
  llvm::StringRef getArgument() const override { return "tenon-host-call-kernels"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect,
                    mlir::LLVM::LLVMDialect, mlir::memref::MemRefDialect>();
  }

  void runOnOperation() override {
    llvm::SmallVector<ir::CustomOp> kernels;
    getOperation().walk([&](ir::CustomOp custom) {
      if (custom.getName() == kKernelOperator)
        kernels.push_back(custom);
    });
    for (ir::CustomOp kernel : kernels)
      replaceByCall(kernel);
  }

  /// Allocations come before all uses, so that plan-arena keeps them apart from each other.
  void replaceByCall(ir::CustomOp kernel) {
    mlir::OpBuilder builder(kernel);
    const mlir::Location loc = kernel.getLoc();
    auto outputType = llvm::cast<mlir::RankedTensorType>(kernel->getResult(0).getType());
    mlir::Value output = allocate(builder, loc, outputType.getShape(), outputType.getElementType());
    const int64_t scratchBytes = kernel.getOptions().getAs<mlir::IntegerAttr>("scratch").getInt();
    mlir::Value scratch =
        allocate(builder, loc, {std::max<int64_t>(scratchBytes, 1)}, builder.getI8Type());
    auto inputType = llvm::cast<mlir::RankedTensorType>(kernel.getInputs()[0].getType());
    mlir::Value input = mlir::bufferization::ToBufferOp::create(
        builder, loc, mlir::MemRefType::get(inputType.getShape(), inputType.getElementType()),
        kernel.getInputs()[0], /*read_only=*/true);
    llvm::SmallVector<mlir::Value> memory = {input,
                                             output,
                                             readGlobal(builder, kernel, "weights"),
                                             readGlobal(builder, kernel, "parameters"),
                                             scratch,
                                             readGlobal(builder, kernel, "geometry")};
    llvm::SmallVector<mlir::Value> pointers;
    for (mlir::Value buffer : memory)
      pointers.push_back(toPointer(builder, loc, buffer));
    auto callee = declare(kernel.getOptions().getAs<mlir::StringAttr>("kernel").getValue());
    mlir::LLVM::CallOp::create(builder, loc, callee, pointers);
    auto result = mlir::bufferization::ToTensorOp::create(builder, loc, outputType, output,
                                                          /*restrict=*/true, /*writable=*/true);
    kernel->getResult(0).replaceAllUsesWith(result);
    kernel->erase();
  }

  static mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    return mlir::memref::AllocOp::create(builder, loc, mlir::MemRefType::get(shape, element));
  }

  static mlir::Value toPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer) {
    mlir::Value address =
        mlir::memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
    mlir::Value number =
        mlir::arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
    return mlir::LLVM::IntToPtrOp::create(
        builder, loc, mlir::LLVM::LLVMPointerType::get(builder.getContext()), number);
  }

  /// A constant global that holds option \p name; layers of equal constants share one.
  mlir::Value readGlobal(mlir::OpBuilder &builder, ir::CustomOp kernel, llvm::StringRef name) {
    auto values = kernel.getOptions().getAs<mlir::DenseElementsAttr>(name);
    auto type = mlir::MemRefType::get(values.getType().getShape(), values.getElementType());
    std::string &symbol = symbols[values];
    if (symbol.empty()) {
      symbol = ("tenon_" + name + "_" + llvm::Twine(symbols.size() - 1)).str();
      mlir::OpBuilder atStart = mlir::OpBuilder::atBlockBegin(getOperation().getBody());
      mlir::memref::GlobalOp::create(atStart, kernel.getLoc(), symbol,
                                     builder.getStringAttr("private"), type, values,
                                     /*constant=*/true, builder.getI64IntegerAttr(kAlignmentBytes));
    }
    return mlir::memref::GetGlobalOp::create(builder, kernel.getLoc(), type, symbol);
  }

  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef kernel) {
    if (auto function = getOperation().lookupSymbol<mlir::LLVM::LLVMFuncOp>(kernel))
      return function;
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(getOperation().getBody());
    auto pointer = mlir::LLVM::LLVMPointerType::get(&getContext());
    auto type =
        mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(&getContext()),
                                          llvm::SmallVector<mlir::Type>(kKernelArguments, pointer));
    return mlir::LLVM::LLVMFuncOp::create(builder, getOperation().getLoc(), kernel, type);
  }

  llvm::DenseMap<mlir::Attribute, std::string> symbols;
};

} // namespace

std::unique_ptr<mlir::Pass> createCallKernelsPass() { return std::make_unique<CallKernels>(); }

} // namespace tenon::host
