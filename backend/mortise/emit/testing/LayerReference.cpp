// SPDX-License-Identifier: Apache-2.0
#include "backend/mortise/emit/testing/LayerReference.h"

#include "backend/mortise/emit/testing/Arithmetic.h"

namespace tenon::mortise::testing {
namespace {

class Reference {
public:
  Reference(const LayerGraph &graph, std::vector<Bytes> &tensors)
      : graph(graph), tensors(tensors) {}

  void operator()(const MacLayer &layer) {
    const LayerTensor &out = graph.tensors[layer.output];
    for (uint32_t y = 0; y < out.h; ++y)
      for (uint32_t x = 0; x < out.w; ++x)
        for (uint32_t o = 0; o < out.c; ++o)
          put(layer.output, y, x, o, finish(layer, sumOf(layer, y, x, o), y, x, o));
  }

  void operator()(const PoolLayer &layer) {
    const LayerTensor &in = graph.tensors[layer.input], &out = graph.tensors[layer.output];
    for (uint32_t y = 0; y < out.h; ++y)
      for (uint32_t x = 0; x < out.w; ++x)
        for (uint32_t c = 0; c < out.c; ++c) {
          std::vector<int64_t> values;
          for (uint32_t ky = 0; ky < layer.kernelH; ++ky)
            for (uint32_t kx = 0; kx < layer.kernelW; ++kx) {
              const int64_t row = int64_t(y) * layer.strideH + ky - layer.padTop;
              const int64_t column = int64_t(x) * layer.strideW + kx - layer.padLeft;
              if (row >= 0 && row < in.h && column >= 0 && column < in.w)
                values.push_back(get(layer.input, uint32_t(row), uint32_t(column), c));
            }
          put(layer.output, y, x, c, pooled(layer, values) + out.zeroPoint);
        }
  }

  void operator()(const ReduceLayer &layer) {
    const LayerTensor &in = graph.tensors[layer.input], &out = graph.tensors[layer.output];
    std::vector<int64_t> sums(size_t(out.h) * out.w * out.c);
    for (uint32_t y = 0; y < in.h; ++y)
      for (uint32_t x = 0; x < in.w; ++x)
        for (uint32_t c = 0; c < in.c; ++c) {
          const size_t row = layer.axes & Axis::H ? 0 : y, column = layer.axes & Axis::W ? 0 : x;
          const size_t channel = layer.axes & Axis::C ? 0 : c;
          sums[(row * out.w + column) * out.c + channel] +=
              get(layer.input, y, x, c) + layer.inputOffset;
        }
    for (size_t i = 0; i < sums.size(); ++i)
      put(layer.output, 0, 0, uint32_t(i), sums[i]);
  }

  void operator()(const ElementwiseLayer &layer) {
    const LayerTensor &out = graph.tensors[layer.output];
    for (uint32_t y = 0; y < out.h; ++y)
      for (uint32_t x = 0; x < out.w; ++x) {
        std::vector<int32_t> a, b;
        for (uint32_t c = 0; c < out.c; ++c) {
          a.push_back(broadcast(layer.a, y, x, c));
          b.push_back(layer.b ? broadcast(*layer.b, y, x, c) : 0);
        }
        const auto results =
            runProgram(layer.program, a, b, layer.immediate0, layer.immediate1,
                       [&](int64_t offset) { return layer.tables.at(size_t(offset)); });
        for (uint32_t c = 0; c < out.c; ++c)
          put(layer.output, y, x, c, int64_t(results[c]) + out.zeroPoint);
      }
  }

  void operator()(const CopyLayer &layer) {
    const LayerTensor &out = graph.tensors[layer.output];
    for (uint32_t i = 0; layer.fillFirst && i < out.h * out.w * out.c; ++i)
      put(layer.output, 0, 0, i, out.zeroPoint);
    for (uint32_t y = 0; y < layer.extent[0]; ++y)
      for (uint32_t x = 0; x < layer.extent[1]; ++x)
        for (uint32_t c = 0; c < layer.extent[2]; ++c)
          put(layer.output, layer.to[0] + y, layer.to[1] + x, layer.to[2] + c,
              rawAt(layer.input, layer.from[0] + y, layer.from[1] + x, layer.from[2] + c));
  }

private:
  const LayerGraph &graph;
  std::vector<Bytes> &tensors;

  uint8_t *at(uint32_t tensor, uint32_t y, uint32_t x, uint32_t c) {
    const LayerTensor &t = graph.tensors[tensor];
    return &tensors[t.aliasOf.value_or(tensor)]
                   [((size_t(y) * t.w + x) * t.c + c) * bytesOf(t.dtype)];
  }
  int32_t rawAt(uint32_t tensor, uint32_t y, uint32_t x, uint32_t c) {
    const uint8_t *from = at(tensor, y, x, c);
    switch (graph.tensors[tensor].dtype) {
    case DType::I8:
      return int8_t(*from);
    case DType::U8:
      return *from;
    case DType::I16: {
      int16_t value;
      std::memcpy(&value, from, 2);
      return value;
    }
    default:
      int32_t value;
      std::memcpy(&value, from, 4);
      return value;
    }
  }
  int32_t get(uint32_t tensor, uint32_t y, uint32_t x, uint32_t c) {
    return rawAt(tensor, y, x, c) - graph.tensors[tensor].zeroPoint;
  }
  int32_t broadcast(uint32_t tensor, uint32_t y, uint32_t x, uint32_t c) {
    const LayerTensor &t = graph.tensors[tensor];
    return get(tensor, t.h == 1 ? 0 : y, t.w == 1 ? 0 : x, t.c == 1 ? 0 : c);
  }
  void put(uint32_t tensor, uint32_t y, uint32_t x, uint32_t c, int64_t raw) {
    const DType type = graph.tensors[tensor].dtype;
    const int32_t stored = saturate(raw, type);
    std::memcpy(at(tensor, y, x, c), &stored, bytesOf(type));
  }

  int32_t sumOf(const MacLayer &layer, uint32_t y, uint32_t x, uint32_t o) {
    const LayerTensor &in = graph.tensors[layer.input], &out = graph.tensors[layer.output];
    const bool depthwise = layer.mode == MacMode::DEPTHWISE;
    int64_t sum = 0;
    for (uint32_t ky = 0; ky < layer.kernelH; ++ky)
      for (uint32_t kx = 0; kx < layer.kernelW; ++kx) {
        const int64_t row = int64_t(y) * layer.strideH + ky * layer.dilationH - layer.padTop;
        const int64_t column = int64_t(x) * layer.strideW + kx * layer.dilationW - layer.padLeft;
        if (row < 0 || row >= in.h || column < 0 || column >= in.w)
          continue;
        const size_t tap = size_t(ky) * layer.kernelW + kx;
        for (uint32_t c = 0; c < (depthwise ? 1 : in.c); ++c) {
          const uint32_t channel = depthwise ? o / layer.channelMultiplier : c;
          const size_t weight = depthwise
                                    ? tap * out.c + o
                                    : (o * size_t(layer.kernelH) * layer.kernelW + tap) * in.c + c;
          sum += int64_t(get(layer.input, uint32_t(row), uint32_t(column), channel)) *
                 (layer.weights[weight] - layer.weightZeroPoint);
        }
      }
    return wrap(sum);
  }

  int64_t finish(const MacLayer &layer, int32_t sum, uint32_t y, uint32_t x, uint32_t o) {
    const LayerTensor &out = graph.tensors[layer.output];
    const bool isDouble = layer.rounding == Rounding::DOUBLE;
    const auto scale = [&](int32_t v, const Scale &by) {
      return rescale(v, by.multiplier, by.shift, isDouble);
    };
    int64_t v = scale(wrap(int64_t(sum) + layer.bias[o]), layer.scales[o]) + layer.zeroPointA;
    v = std::clamp<int64_t>(v, layer.clampAMin, layer.clampAMax);
    if (layer.eltwise) {
      const FusedEltwise &fused = *layer.eltwise;
      const int32_t factor = 1 << fused.inputLeftShift;
      const int32_t a = scale(wrap((v - layer.zeroPointA) * factor), fused.main);
      const int32_t b =
          scale(wrap(int64_t(get(fused.operand, y, x, o)) * factor), fused.operandScale);
      v = scale(combine(fused.op, a, b), fused.result) + out.zeroPoint;
    }
    v = std::clamp<int64_t>(v, layer.clampBMin, layer.clampBMax);
    if (!layer.table)
      return v;
    const int8_t entry = (*layer.table)[size_t(std::clamp<int64_t>(v - lowest(out.dtype), 0, 255))];
    return out.dtype == DType::U8 ? uint8_t(entry) : entry;
  }

  static int64_t pooled(const PoolLayer &layer, const std::vector<int64_t> &values) {
    if (values.empty())
      return 0;
    int64_t result = *std::ranges::max_element(values);
    if (layer.operation == VecOperation::AVERAGE) {
      int64_t sum = 0;
      for (int64_t value : values)
        sum += value + layer.inputOffset;
      result = average(sum, int64_t(values.size()), layer.rounding) - layer.inputOffset;
    }
    return std::clamp<int64_t>(result, layer.clampMin, layer.clampMax);
  }
};

} // namespace

void computeLayers(const LayerGraph &graph, std::vector<Bytes> &tensors) {
  Reference reference(graph, tensors);
  for (const Layer &layer : graph.layers)
    std::visit(reference, layer.work);
}

} // namespace tenon::mortise::testing
