// SPDX-License-Identifier: Apache-2.0
// The host's lowering, from tensors to the LLVM dialect, as one list of passes.
#include "backend/host/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tenon::host {
namespace {

using mlir::func::FuncOp;

/// TOSA and composites to linalg on tensors, element-wise chains fused.
void addTensorPasses(mlir::OpPassManager &manager) {
  mlir::OpPassManager &nested = manager.nest<FuncOp>();
  nested.addPass(createInlineCompositesPass());
  nested.addPass(createDecomposeTransposeConvPass());
  nested.addPass(createFuseKernelsPass());
  // Scatter and control flow first; then what linalg has a name for; rescale's arithmetic last.
  nested.addPass(mlir::createTosaToSCFPass());
  nested.addPass(mlir::tosa::createTosaToLinalgNamed());
  nested.addPass(mlir::createCanonicalizerPass());
  nested.addPass(mlir::createTosaToArithPass());
  nested.addPass(mlir::createTosaToTensorPass());
  nested.addPass(mlir::tosa::createTosaToLinalg());
  mlir::TosaToArithPassOptions rescale;
  rescale.includeApplyRescale = true;
  nested.addPass(mlir::createTosaToArithPass(rescale));
  nested.addPass(mlir::createCanonicalizerPass());
  nested.addPass(mlir::createLinalgElementwiseOpFusionPass());
  nested.addPass(mlir::createCanonicalizerPass());
  nested.addPass(mlir::createCSEPass());
}

/// Tensors to memory: inputs, outputs and one arena, all from the caller.
void addBufferPasses(mlir::OpPassManager &manager) {
  manager.addPass(createCallKernelsPass());
  mlir::bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = mlir::bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(mlir::bufferization::createOneShotBufferizePass(options));
  mlir::OpPassManager &nested = manager.nest<FuncOp>();
  nested.addPass(mlir::createCanonicalizerPass());
  nested.addPass(createOutParametersPass());
  nested.addPass(createExpandCopiesPass());
  nested.addPass(mlir::createConvertLinalgToLoopsPass());
  nested.addPass(createPlanArenaPass());
}

} // namespace

void buildLlvmPipeline(mlir::OpPassManager &manager) {
  manager.addPass(mlir::memref::createExpandStridedMetadataPass());
  manager.addPass(mlir::createLowerAffinePass());
  manager.addPass(mlir::createSCFToControlFlowPass());
  manager.addPass(mlir::createConvertMathToLLVMPass());
  manager.addPass(mlir::createConvertMathToLibmPass());
  manager.addPass(mlir::createConvertVectorToLLVMPass());
  manager.addPass(mlir::createArithToLLVMConversionPass());
  manager.addPass(mlir::createConvertIndexToLLVMPass());
  manager.addPass(mlir::createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(mlir::createUBToLLVMConversionPass());
  manager.addPass(mlir::createConvertControlFlowToLLVMPass());
  mlir::ConvertFuncToLLVMPassOptions bare;
  bare.useBarePtrCallConv = true;
  manager.addPass(mlir::createConvertFuncToLLVMPass(bare));
  manager.addPass(mlir::createReconcileUnrealizedCastsPass());
}

void buildHostPipeline(mlir::OpPassManager &manager) {
  addTensorPasses(manager);
  addBufferPasses(manager);
  buildLlvmPipeline(manager);
}

} // namespace tenon::host
