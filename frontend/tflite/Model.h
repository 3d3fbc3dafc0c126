// SPDX-License-Identifier: Apache-2.0
// A TFLite file as checked plain values: every index, shape and buffer size holds.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "frontend/tflite/schema_generated.h"
#include "support/Bytes.h"
#include "support/Error.h"

namespace tenon::tflite {

using fbs::BuiltinOperator;
using fbs::TensorType;

/// Scales and zero points; one each, or one a slice of `dimension`.
struct Quantization {
  std::vector<float> scales;
  std::vector<int64_t> zeroPoints; ///< as many as scales
  int32_t dimension = 0;
  bool perTensor() const { return scales.size() == 1; }
};

struct Tensor {
  std::string name;
  TensorType type = TensorType::FLOAT32;
  std::vector<int64_t> shape; ///< positive dimensions
  Quantization quantization;  ///< no scales if not quantised
  ByteSpan data;              ///< constant's bytes, exactly the tensor's size; else empty
  bool isConstant = false, isVariable = false;

  int64_t elementCount() const;
  int64_t rank() const { return int64_t(shape.size()); }
  float scale() const { return quantization.scales.empty() ? 0 : quantization.scales[0]; }
  int64_t zeroPoint() const {
    return quantization.zeroPoints.empty() ? 0 : quantization.zeroPoints[0];
  }
};

struct Operator {
  int64_t index = 0;
  BuiltinOperator code = BuiltinOperator::ADD;
  std::string type; ///< "CONV_2D"; a custom operator's own name
  int32_t version = 1;
  std::vector<int32_t> inputs; ///< tensor indices, -1 for an omitted one
  std::vector<int32_t> outputs;
  const fbs::Operator *raw = nullptr; ///< verified, for its options
};

/// The main subgraph. Spans and `raw` point into the bytes given to readModel.
struct Model {
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<int32_t> inputs, outputs;
};

/// "int8", "float32"...
const char *nameOf(TensorType type);
/// Bytes of an element; 0 for types without a fixed size or below a byte.
uint32_t sizeOf(TensorType type);

/// Parses untrusted bytes. Fails with one line that says which part is damaged.
Expected<Model> readModel(ByteSpan bytes);

} // namespace tenon::tflite
