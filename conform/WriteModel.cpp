// SPDX-License-Identifier: Apache-2.0
// Builds the FlatBuffer of one operator.
#include "conform/WriteModel.h"

#include <cmath>
#include <cstring>

#include "frontend/tflite/schema_generated.h"

namespace tenon::conform {
namespace {

namespace fbs = tflite::fbs;
using Shape = std::vector<int32_t>;
template <typename T> using Offset = flatbuffers::Offset<T>;

struct Scales {
  std::vector<float> scales;
  int64_t zeroPoint = 0;
  int32_t dimension = 0;
};

template <typename T> Bytes bytesOf(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class ModelWriter {
public:
  explicit ModelWriter(const Case &that) : that(that), random(that.seed) { addBuffer({}); }

  Bytes write() {
    const bool flat = that.operation == "fully_connected";
    addTensor("a",
              flat ? shape({that.n, that.c}) : shape({that.n, that.size[0], that.size[1], that.c}),
              fbs::TensorType::INT8, {{that.inputScale}, that.inputZeroPoint}, {});
    modelInputs = operands = {0};
    if (that.isConvolution())
      addWeights();
    else if (that.operation == "add")
      addSecond();
    else if (that.operation == "reshape")
      operands.push_back(
          addTensor("shape", {2}, fbs::TensorType::INT32, {}, bytesOf<int32_t>(outputShape())));
    addTensor("out", outputShape(), fbs::TensorType::INT8, outputScales(), {});
    return finish();
  }

private:
  static Shape shape(std::initializer_list<int64_t> extents) {
    return {extents.begin(), extents.end()};
  }

  Shape outputShape() const {
    const Pair out = that.outputSize();
    if (that.operation == "fully_connected")
      return shape({that.n, that.outputChannels});
    if (that.operation == "reshape")
      return shape({that.n, that.size[0] * that.size[1] * that.c});
    return shape({that.n, out[0], out[1], that.isConvolution() ? that.outputChannels : that.c});
  }

  /// Pools and reshapes hand their input's values on.
  Scales outputScales() const {
    if (that.isConvolution() || that.operation == "add")
      return {{that.outputScale}, that.outputZeroPoint};
    return {{that.inputScale}, that.inputZeroPoint};
  }

  uint32_t addBuffer(const Bytes &bytes) {
    builder.ForceVectorAlignment(bytes.size(), 1, 16);
    const auto data =
        builder.CreateVector(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    fbs::BufferBuilder buffer(builder);
    if (!bytes.empty())
      buffer.add_data(data);
    buffers.push_back(buffer.Finish());
    return uint32_t(buffers.size() - 1);
  }

  Offset<fbs::QuantizationParameters> quantization(const Scales &scales) {
    const auto values = builder.CreateVector(scales.scales);
    const auto zeros =
        builder.CreateVector(std::vector<int64_t>(scales.scales.size(), scales.zeroPoint));
    fbs::QuantizationParametersBuilder table(builder);
    table.add_scale(values);
    table.add_zero_point(zeros);
    table.add_quantized_dimension(scales.dimension);
    return table.Finish();
  }

  int32_t addTensor(const char *name, const Shape &shape, fbs::TensorType type,
                    const Scales &scales, const Bytes &data) {
    const uint32_t buffer = data.empty() ? 0 : addBuffer(data);
    const auto text = builder.CreateString(name);
    const auto extents = builder.CreateVector(shape);
    const auto parameters = quantization(scales);
    fbs::TensorBuilder tensor(builder);
    tensor.add_shape(extents);
    tensor.add_type(type);
    tensor.add_buffer(buffer);
    tensor.add_name(text);
    if (!scales.scales.empty())
      tensor.add_quantization(parameters);
    tensors.push_back(tensor.Finish());
    return int32_t(tensors.size() - 1);
  }

  void addSecond() {
    modelInputs.push_back(addTensor("b", outputShape(), fbs::TensorType::INT8,
                                    {{that.secondScale}, that.secondZeroPoint}, {}));
    operands.push_back(1);
  }

  Shape weightShape() const {
    const bool depthwise = that.operation == "depthwise_conv2d";
    if (that.operation == "fully_connected")
      return shape({that.outputChannels, that.c});
    return depthwise ? shape({1, that.kernel[0], that.kernel[1], that.outputChannels})
                     : shape({that.outputChannels, that.kernel[0], that.kernel[1], that.c});
  }

  void addWeights() {
    const Shape extents = weightShape();
    size_t count = 1;
    for (int32_t extent : extents)
      count *= size_t(extent);
    std::vector<int8_t> weights(count);
    for (int8_t &weight : weights)
      weight = int8_t(random.between(-that.largestWeight, that.largestWeight));
    const int32_t dimension = that.operation == "depthwise_conv2d" ? 3 : 0;
    operands.push_back(addTensor("weights", extents, fbs::TensorType::INT8,
                                 {that.weightScales, 0, dimension}, bytesOf(weights)));
    addBias();
  }

  void addBias() {
    const int64_t spread = that.largestWeight * int64_t(8 + std::sqrt(that.windowProducts()) * 30);
    std::vector<int32_t> bias(size_t(that.outputChannels));
    for (int32_t &value : bias)
      value = int32_t(random.between(-spread, spread));
    Scales scales{that.weightScales};
    for (float &scale : scales.scales)
      scale *= that.inputScale;
    operands.push_back(addTensor("bias", shape({that.outputChannels}), fbs::TensorType::INT32,
                                 scales, bytesOf(bias)));
  }

  struct Kind {
    fbs::BuiltinOperator code;
    int32_t version; ///< of the operator's int8 form
    fbs::Options options;
    Offset<void> table;
  };

  template <typename Builder> void addWindow(Builder &options) const {
    options.add_padding(that.samePadding ? fbs::Padding::SAME : fbs::Padding::VALID);
    options.add_stride_h(int32_t(that.stride[0]));
    options.add_stride_w(int32_t(that.stride[1]));
    options.add_activation(activation());
  }

  fbs::Activation activation() const { return fbs::Activation(int(that.activation)); }

  Kind convolution() {
    if (that.operation == "fully_connected") {
      fbs::FullyConnectedOptionsBuilder options(builder);
      options.add_activation(activation());
      return {fbs::BuiltinOperator::FULLY_CONNECTED, 4, fbs::Options::FullyConnectedOptions,
              options.Finish().Union()};
    }
    const auto addDilation = [&](auto &options) {
      addWindow(options);
      options.add_dilation_h(int32_t(that.dilation[0]));
      options.add_dilation_w(int32_t(that.dilation[1]));
    };
    if (that.operation == "conv2d") {
      fbs::Conv2DOptionsBuilder options(builder);
      addDilation(options);
      return {fbs::BuiltinOperator::CONV_2D, 3, fbs::Options::Conv2DOptions,
              options.Finish().Union()};
    }
    fbs::DepthwiseConv2DOptionsBuilder options(builder);
    addDilation(options);
    options.add_depth_multiplier(int32_t(that.channelMultiplier));
    return {fbs::BuiltinOperator::DEPTHWISE_CONV_2D, 3, fbs::Options::DepthwiseConv2DOptions,
            options.Finish().Union()};
  }

  Kind pool() {
    fbs::Pool2DOptionsBuilder options(builder);
    addWindow(options);
    options.add_filter_height(int32_t(that.kernel[0]));
    options.add_filter_width(int32_t(that.kernel[1]));
    return {that.operation == "max_pool2d" ? fbs::BuiltinOperator::MAX_POOL_2D
                                           : fbs::BuiltinOperator::AVERAGE_POOL_2D,
            2, fbs::Options::Pool2DOptions, options.Finish().Union()};
  }

  Kind sum() {
    if (that.subtract) {
      fbs::SubOptionsBuilder options(builder);
      options.add_activation(activation());
      return {fbs::BuiltinOperator::SUB, 2, fbs::Options::SubOptions, options.Finish().Union()};
    }
    fbs::AddOptionsBuilder options(builder);
    options.add_activation(activation());
    return {fbs::BuiltinOperator::ADD, 2, fbs::Options::AddOptions, options.Finish().Union()};
  }

  Kind reshape() {
    const auto to = builder.CreateVector(outputShape());
    fbs::ReshapeOptionsBuilder options(builder);
    options.add_new_shape(to);
    return {fbs::BuiltinOperator::RESHAPE, 1, fbs::Options::ReshapeOptions,
            options.Finish().Union()};
  }

  Offset<fbs::Operator> addOperator(const Kind &kind) {
    const auto in = builder.CreateVector(operands);
    const auto out = builder.CreateVector(outputs());
    fbs::OperatorBuilder op(builder);
    op.add_opcode_index(0);
    op.add_inputs(in);
    op.add_outputs(out);
    op.add_options_type(kind.options);
    op.add_options(kind.table);
    return op.Finish();
  }

  Offset<fbs::OperatorCode> addCode(const Kind &kind) {
    fbs::OperatorCodeBuilder code(builder);
    code.add_deprecated_builtin_code(int8_t(kind.code));
    code.add_version(kind.version);
    code.add_builtin_code(kind.code);
    return code.Finish();
  }

  Shape outputs() const { return {int32_t(tensors.size() - 1)}; }

  Offset<fbs::SubGraph> addGraph(Offset<fbs::Operator> op) {
    const auto all = builder.CreateVector(tensors);
    const auto in = builder.CreateVector(modelInputs), out = builder.CreateVector(outputs());
    const auto operators = builder.CreateVector(std::vector{op});
    fbs::SubGraphBuilder graph(builder);
    graph.add_tensors(all);
    graph.add_inputs(in);
    graph.add_outputs(out);
    graph.add_operators(operators);
    return graph.Finish();
  }

  Bytes finish() {
    const Kind kind = that.isConvolution()      ? convolution()
                      : that.isPool()           ? pool()
                      : that.operation == "add" ? sum()
                                                : reshape();
    const auto codes = builder.CreateVector(std::vector{addCode(kind)});
    const auto graphs = builder.CreateVector(std::vector{addGraph(addOperator(kind))});
    const auto data = builder.CreateVector(buffers);
    fbs::ModelBuilder model(builder);
    model.add_version(3);
    model.add_operator_codes(codes);
    model.add_subgraphs(graphs);
    model.add_buffers(data);
    builder.Finish(model.Finish(), fbs::ModelIdentifier());
    Bytes bytes(builder.GetSize());
    std::memcpy(bytes.data(), builder.GetBufferPointer(), bytes.size());
    return bytes;
  }

  const Case &that;
  Random random;
  flatbuffers::FlatBufferBuilder builder;
  std::vector<Offset<fbs::Buffer>> buffers;
  std::vector<Offset<fbs::Tensor>> tensors;
  Shape modelInputs, operands;
};

} // namespace

Bytes writeModel(const Case &that) { return ModelWriter(that).write(); }

size_t inputCount(const Case &that) { return that.operation == "add" ? 2 : 1; }

Bytes inputOf(const Case &that, size_t index, int round) {
  Random random(that.seed * 16 + index * 4 + uint64_t(round) + 1);
  const int64_t zeroPoint = index ? that.secondZeroPoint : that.inputZeroPoint;
  Bytes bytes(size_t(that.n * that.size[0] * that.size[1] * that.c));
  // Large tensors repeat themselves at a prime distance, which no row or channel count meets.
  constexpr size_t kPeriod = 65521;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i >= kPeriod) {
      bytes[i] = bytes[i - kPeriod];
      continue;
    }
    int64_t value = random.between(-128, 127);
    if (round == 1)
      value = random.pick<int64_t>({-128, 127, zeroPoint, value});
    bytes[i] = uint8_t(value);
  }
  return bytes;
}

} // namespace tenon::conform
