// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: importTflite on any bytes gives a graph or one line. Built with
// -DTENON_FUZZ=ON; small models of tests/models/data make a corpus to begin from.
#include <cstdlib>

#include "frontend/tflite/Import.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace tenon;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A context an input: one for all would keep every attribute ever made.
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ir::TenonDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                      mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  auto module = tflite::importTflite(context, ByteSpan(data, size));
  if (!module &&
      (module.error().message.empty() || module.error().message.find('\n') != std::string::npos))
    std::abort();
  return 0;
}
