// SPDX-License-Identifier: Apache-2.0
#include "frontend/tflite/ops/Operators.h"

#include <algorithm>

namespace tenon::tflite {
namespace {

constexpr const char *kBytesAndFloat = "int8, uint8, float32";

constexpr Importer kImporters[] = {
    {BuiltinOperator::ADD, 5, kBytesAndFloat, "broadcasting", importAdd},
    {BuiltinOperator::AVERAGE_POOL_2D, 3, kBytesAndFloat, "", importAveragePool2d},
    {BuiltinOperator::CONCATENATION, 4, kBytesAndFloat, "int8: equal scales", importConcatenation},
    {BuiltinOperator::CONV_2D, 8, kBytesAndFloat, "per tensor or per channel; no groups",
     importConv2d},
    {BuiltinOperator::DEPTHWISE_CONV_2D, 7, kBytesAndFloat, "any multiplier and dilation",
     importDepthwiseConv2d},
    {BuiltinOperator::DEQUANTIZE, 6, "int8, uint8 to float32", "per tensor", importDequantize},
    {BuiltinOperator::EXPAND_DIMS, 1, "any", "", importReshape},
    {BuiltinOperator::FULLY_CONNECTED, 12, kBytesAndFloat, "", importFullyConnected},
    {BuiltinOperator::LOGISTIC, 3, kBytesAndFloat, "", importLogistic},
    {BuiltinOperator::MAX_POOL_2D, 3, kBytesAndFloat, "equal scales", importMaxPool2d},
    {BuiltinOperator::MEAN, 3, kBytesAndFloat, "constant axes", importMean},
    {BuiltinOperator::MUL, 7, kBytesAndFloat, "broadcasting", importMul},
    {BuiltinOperator::PAD, 4, kBytesAndFloat, "constant paddings", importPad},
    {BuiltinOperator::QUANTIZE, 3, "float32, int8, uint8 to int8, uint8", "per tensor",
     importQuantize},
    {BuiltinOperator::RELU, 3, kBytesAndFloat, "", importRelu},
    {BuiltinOperator::RELU6, 3, kBytesAndFloat, "", importRelu6},
    {BuiltinOperator::RELU_N1_TO_1, 2, kBytesAndFloat, "", importReluN1To1},
    {BuiltinOperator::RESHAPE, 2, "any", "", importReshape},
    {BuiltinOperator::SOFTMAX, 3, kBytesAndFloat, "over the last dimension", importSoftmax},
    {BuiltinOperator::SQUEEZE, 2, "any", "", importReshape},
    {BuiltinOperator::SUB, 5, kBytesAndFloat, "broadcasting", importSub},
    {BuiltinOperator::TANH, 3, kBytesAndFloat, "", importTanh},
    {BuiltinOperator::TRANSPOSE, 6, "any", "constant order", importTranspose},
};

} // namespace

std::span<const Importer> importers() { return kImporters; }

const Importer *findImporter(BuiltinOperator code) {
  const auto *found = std::find_if(std::begin(kImporters), std::end(kImporters),
                                   [code](const Importer &row) { return row.code == code; });
  return found == std::end(kImporters) ? nullptr : found;
}

} // namespace tenon::tflite
