// SPDX-License-Identifier: Apache-2.0
// The table of importers; each family is a file of its own.
#pragma once
#include <span>

#include "frontend/tflite/GraphBuilder.h"

namespace tenon::tflite {

/// One row: how an operator becomes IR.
struct Importer {
  BuiltinOperator code;
  int maxVersion;
  const char *types; ///< for docs/operators.md
  const char *notes; ///< what is refused
  Expected<void> (*emit)(GraphBuilder &);
};

std::span<const Importer> importers();
/// The row of \p code; null if there is none.
const Importer *findImporter(BuiltinOperator code);

Expected<void> importConv2d(GraphBuilder &);
Expected<void> importDepthwiseConv2d(GraphBuilder &);
Expected<void> importFullyConnected(GraphBuilder &);
Expected<void> importAveragePool2d(GraphBuilder &);
Expected<void> importMaxPool2d(GraphBuilder &);
Expected<void> importAdd(GraphBuilder &);
Expected<void> importSub(GraphBuilder &);
Expected<void> importMul(GraphBuilder &);
Expected<void> importPad(GraphBuilder &);
Expected<void> importReshape(GraphBuilder &);
Expected<void> importTranspose(GraphBuilder &);
Expected<void> importConcatenation(GraphBuilder &);
Expected<void> importSoftmax(GraphBuilder &);
Expected<void> importMean(GraphBuilder &);
Expected<void> importRelu(GraphBuilder &);
Expected<void> importRelu6(GraphBuilder &);
Expected<void> importReluN1To1(GraphBuilder &);
Expected<void> importLogistic(GraphBuilder &);
Expected<void> importTanh(GraphBuilder &);
Expected<void> importQuantize(GraphBuilder &);
Expected<void> importDequantize(GraphBuilder &);

// What families share (ops/Common.cpp).

/// The operator's two ends; fails unless both are there, of one type, int8, uint8 or float32, and
/// if bytes each with one scale.
struct Ends {
  const Tensor *input, *output;
};
Expected<Ends> unaryEnds(GraphBuilder &);

/// Fails unless a tensor is quantised with one positive scale.
Expected<void> needScale(const Tensor &tensor);

/// One dimension of a sliding window.
struct Window {
  int64_t out = 0, padBefore = 0, padAfter = 0;
  int64_t used = 0; ///< input extent that windows reach; less than the input's if some is left over
};
Expected<Window> windowOf(int64_t input, int64_t kernel, int64_t stride, int64_t dilation,
                          fbs::Padding padding);

/// The fused activation of a float result; fails on one that is no clamp.
Expected<mlir::Value> activateFloat(GraphBuilder &, mlir::Value, fbs::Activation);
Expected<void> checkActivation(fbs::Activation activation);

/// \p value as one of \p rank dimensions, ones in front.
mlir::Value raiseRank(GraphBuilder &, mlir::Value value, size_t rank);

} // namespace tenon::tflite
