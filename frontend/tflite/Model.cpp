// SPDX-License-Identifier: Apache-2.0
// From untrusted bytes to plain values: FlatBuffers' verifier first, then every index and size.
#include "frontend/tflite/Model.h"

#include <cmath>

#include "support/Checked.h"

namespace tenon::tflite {
namespace {

constexpr int64_t kMaxElements = int64_t(1) << 30;
constexpr size_t kMaxRank = 8;
constexpr size_t kMaxNameBytes = 4096;

struct TypeFacts {
  const char *name;
  uint32_t bytes;
};

TypeFacts factsOf(TensorType type) {
  switch (type) {
  case TensorType::FLOAT32:
    return {"float32", 4};
  case TensorType::FLOAT16:
    return {"float16", 2};
  case TensorType::INT32:
    return {"int32", 4};
  case TensorType::UINT8:
    return {"uint8", 1};
  case TensorType::INT64:
    return {"int64", 8};
  case TensorType::STRING:
    return {"string", 0};
  case TensorType::BOOL:
    return {"bool", 1};
  case TensorType::INT16:
    return {"int16", 2};
  case TensorType::COMPLEX64:
    return {"complex64", 8};
  case TensorType::INT8:
    return {"int8", 1};
  case TensorType::FLOAT64:
    return {"float64", 8};
  case TensorType::COMPLEX128:
    return {"complex128", 16};
  case TensorType::UINT64:
    return {"uint64", 8};
  case TensorType::RESOURCE:
    return {"resource", 0};
  case TensorType::VARIANT:
    return {"variant", 0};
  case TensorType::UINT32:
    return {"uint32", 4};
  case TensorType::UINT16:
    return {"uint16", 2};
  case TensorType::INT4:
    return {"int4", 0};
  case TensorType::BFLOAT16:
    return {"bfloat16", 2};
  }
  return {"?", 0};
}

std::string textOf(const flatbuffers::String *text) {
  return text ? text->str().substr(0, kMaxNameBytes) : std::string();
}

Expected<Quantization> readQuantization(const fbs::QuantizationParameters *raw,
                                        const std::vector<int64_t> &shape) {
  Quantization result;
  if (!raw || !raw->scale() || raw->scale()->size() == 0)
    return result;
  result.scales.assign(raw->scale()->begin(), raw->scale()->end());
  for (float scale : result.scales)
    if (!(scale >= 0) || !std::isfinite(scale))
      return fail("scale {} is not a positive number", scale);
  if (raw->zero_point())
    result.zeroPoints.assign(raw->zero_point()->begin(), raw->zero_point()->end());
  result.zeroPoints.resize(result.scales.size(),
                           result.zeroPoints.size() == 1 ? result.zeroPoints[0] : 0);
  result.dimension = raw->quantized_dimension();
  if (result.scales.size() == 1)
    return result;
  if (result.dimension < 0 || size_t(result.dimension) >= shape.size() ||
      int64_t(result.scales.size()) != shape[size_t(result.dimension)])
    return fail("{} scales do not fit dimension {}", result.scales.size(), result.dimension);
  return result;
}

/// Zero points must be values of the type, or arithmetic on them could overflow.
Expected<void> checkZeroPoints(const Tensor &tensor) {
  const int64_t low = tensor.type == TensorType::UINT8  ? 0
                      : tensor.type == TensorType::INT8 ? -128
                                                        : -32768;
  const int64_t high = tensor.type == TensorType::UINT8  ? 255
                       : tensor.type == TensorType::INT8 ? 127
                                                         : 32767;
  for (int64_t zero : tensor.quantization.zeroPoints)
    if (zero < low || zero > high)
      return fail("zero point {} is outside {} to {}", zero, low, high);
  return {};
}

class Reader {
public:
  explicit Reader(ByteSpan bytes) : bytes(bytes) {}

  Expected<Model> read() {
    flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 64, 4'000'000);
    if (bytes.size() < 8 || !flatbuffers::BufferHasIdentifier(bytes.data(), "TFL3"))
      return fail("byte 4: not a TFLite file (no \"TFL3\"); give a .tflite file");
    if (!verifier.VerifyBuffer<fbs::Model>("TFL3"))
      return fail("the FlatBuffer is damaged (its offsets leave the file's {} bytes); export or "
                  "download the model again",
                  bytes.size());
    file = flatbuffers::GetRoot<fbs::Model>(bytes.data());
    if (file->version() != 3)
      return fail("format version {} is not 3; convert the model again", file->version());
    if (!file->subgraphs() || file->subgraphs()->size() == 0 || !file->subgraphs()->Get(0))
      return fail("the file has no subgraph");
    return readGraph(*file->subgraphs()->Get(0));
  }

private:
  ByteSpan bytes;
  const fbs::Model *file = nullptr;
  Model model;

  Expected<Model> readGraph(const fbs::SubGraph &graph) {
    const auto *tensors = graph.tensors();
    for (uint32_t i = 0; tensors && i < tensors->size(); ++i) {
      auto tensor = readTensor(*tensors->Get(i));
      if (!tensor)
        return fail(tensor.error(),
                    fmt::format("tensor {} \"{}\"", i, textOf(tensors->Get(i)->name())));
      model.tensors.push_back(*tensor);
    }
    const auto *operators = graph.operators();
    for (uint32_t i = 0; operators && i < operators->size(); ++i) {
      auto op = readOperator(*operators->Get(i), i);
      if (!op)
        return fail(op.error(), fmt::format("operator {}", i));
      model.operators.push_back(*op);
    }
    for (auto [list, out] :
         {std::pair{graph.inputs(), &model.inputs}, {graph.outputs(), &model.outputs}})
      if (auto copied = readIndices(list, *out, 0); !copied)
        return fail(copied.error(), "the model's inputs and outputs");
    return std::move(model);
  }

  Expected<Tensor> readTensor(const fbs::Tensor &raw) {
    Tensor tensor;
    tensor.name = textOf(raw.name());
    tensor.type = raw.type();
    tensor.isVariable = raw.is_variable();
    if (raw.shape())
      tensor.shape.assign(raw.shape()->begin(), raw.shape()->end());
    const auto count = checkedProduct(tensor.shape);
    if (tensor.shape.size() > kMaxRank || !count || *count > kMaxElements)
      return fail("shape is too big or has a negative dimension");
    auto quantization = readQuantization(raw.quantization(), tensor.shape);
    if (!quantization)
      return tl::unexpected(quantization.error());
    tensor.quantization = *quantization;
    if (tensor.type == TensorType::UINT8 || tensor.type == TensorType::INT8)
      if (auto checked = checkZeroPoints(tensor); !checked)
        return tl::unexpected(checked.error());
    if (auto read = readData(raw, tensor); !read)
      return tl::unexpected(read.error());
    return tensor;
  }

  Expected<void> readData(const fbs::Tensor &raw, Tensor &tensor) {
    const uint32_t count = file->buffers() ? file->buffers()->size() : 0;
    if (raw.buffer() == 0)
      return {};
    if (raw.buffer() >= count)
      return fail("buffer {} is past the last of {}", raw.buffer(), count);
    const fbs::Buffer *buffer = file->buffers()->Get(raw.buffer());
    if (buffer->data() && buffer->data()->size())
      tensor.data = {buffer->data()->data(), buffer->data()->size()};
    else if (buffer->offset() > 1) {
      // Large models keep their buffers behind the FlatBuffer.
      if (buffer->offset() > bytes.size() || buffer->size() > bytes.size() - buffer->offset())
        return fail("buffer {} lies past the end of the file", raw.buffer());
      tensor.data = bytes.subspan(buffer->offset(), buffer->size());
    }
    tensor.isConstant = !tensor.data.empty();
    const uint32_t element = sizeOf(tensor.type);
    if (tensor.isConstant && element &&
        tensor.data.size() != uint64_t(tensor.elementCount()) * element)
      return fail("{} bytes of data for {} elements of {}", tensor.data.size(),
                  tensor.elementCount(), nameOf(tensor.type));
    return {};
  }

  Expected<void> readIndices(const flatbuffers::Vector<int32_t> *list, std::vector<int32_t> &out,
                             int32_t lowest) {
    if (!list)
      return {};
    for (int32_t index : *list) {
      if (index < lowest || index >= int32_t(model.tensors.size()))
        return fail("tensor index {} is not 0 to {}", index, int64_t(model.tensors.size()) - 1);
      out.push_back(index);
    }
    return {};
  }

  Expected<Operator> readOperator(const fbs::Operator &raw, uint32_t index) {
    const uint32_t codes = file->operator_codes() ? file->operator_codes()->size() : 0;
    if (raw.opcode_index() >= codes)
      return fail("operator code {} is past the last of {}", raw.opcode_index(), codes);
    const fbs::OperatorCode &code = *file->operator_codes()->Get(raw.opcode_index());
    Operator op;
    op.index = index;
    op.raw = &raw;
    op.version = code.version();
    // Codes below 127 were a byte once; files of today fill both.
    op.code = std::max(code.builtin_code(), BuiltinOperator(code.deprecated_builtin_code()));
    op.type = typeOf(op.code, code);
    if (auto read = readIndices(raw.inputs(), op.inputs, -1); !read)
      return tl::unexpected(read.error());
    if (auto read = readIndices(raw.outputs(), op.outputs, 0); !read)
      return tl::unexpected(read.error());
    return op;
  }

  static std::string typeOf(BuiltinOperator code, const fbs::OperatorCode &raw) {
    if (code == BuiltinOperator::CUSTOM)
      return raw.custom_code() ? "CUSTOM " + textOf(raw.custom_code()) : "CUSTOM";
    const char *name = fbs::EnumNameBuiltinOperator(code);
    return *name ? name : fmt::format("BUILTIN_{}", int32_t(code));
  }
};

} // namespace

int64_t Tensor::elementCount() const { return checkedProduct(shape).value_or(0); }
const char *nameOf(TensorType type) { return factsOf(type).name; }
uint32_t sizeOf(TensorType type) { return factsOf(type).bytes; }

Expected<Model> readModel(ByteSpan bytes) { return Reader(bytes).read(); }

} // namespace tenon::tflite
