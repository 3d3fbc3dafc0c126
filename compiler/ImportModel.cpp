// SPDX-License-Identifier: Apache-2.0
// Recognises model formats.
#include "compiler/ImportModel.h"

#include "compiler/Diagnostics.h"
#include "frontend/tflite/Import.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Parser/Parser.h"

namespace tenon::compiler {
namespace {

using Module = mlir::OwningOpRef<mlir::ModuleOp>;

std::string fileName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

/// The four bytes that follow a FlatBuffer's root offset.
bool hasIdentifier(ByteSpan model, llvm::StringRef identifier) {
  return model.size() >= 8 &&
         llvm::StringRef(reinterpret_cast<const char *>(model.data()) + 4, 4) == identifier;
}

Expected<Module> importText(mlir::MLIRContext &context, ByteSpan model) {
  DiagnosticCollector diagnostics(context);
  const std::string text(model.begin(), model.end());
  Module module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return tl::unexpected(diagnostics.error("parsing"));
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isExternal() || !main.getBody().hasOneBlock())
    return fail("has no function @main of one block");
  return module;
}

Expected<Module> importAny(mlir::MLIRContext &context, ByteSpan model,
                           const std::string &modelName) {
  if (llvm::StringRef(modelName).ends_with(".mlir"))
    return importText(context, model);
  if (hasIdentifier(model, "TFL3"))
    return tflite::importTflite(context, model);
  return fail("is no model file that Tenon reads; use TFLite (.tflite)");
}

} // namespace

void loadGraphDialects(mlir::MLIRContext &context) {
  context.loadDialect<ir::TenonDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                      mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
}

Expected<Module> importModel(mlir::MLIRContext &context, ByteSpan model,
                             const std::string &modelName) {
  auto module = importAny(context, model, modelName);
  if (!module)
    return fail(module.error(), fileName(modelName));
  if (!(*module)->getOperation()->hasAttr("tenon.model"))
    (*module)->getOperation()->setAttr("tenon.model",
                                       mlir::StringAttr::get(&context, fileName(modelName)));
  return module;
}

} // namespace tenon::compiler
