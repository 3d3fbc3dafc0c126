// SPDX-License-Identifier: Apache-2.0
// Graphs of layers with random constants and sizes, for tests.
#pragma once
#include <random>

#include "backend/mortise/layers/LayerGraph.h"

namespace tenon::mortise::testing {

/// Grows a graph; the same seed gives the same graph.
class GraphMaker {
public:
  explicit GraphMaker(uint32_t seed) : random(seed) {}

  uint32_t below(uint32_t limit) { return uint32_t(random() % limit); }
  int32_t between(int32_t low, int32_t high) {
    return low + int32_t(below(uint32_t(high - low + 1)));
  }

  uint32_t tensor(uint32_t h, uint32_t w, uint32_t c, DType dtype = DType::I8,
                  Home home = Home::Scratch);
  uint32_t input(uint32_t h, uint32_t w, uint32_t c, DType dtype = DType::I8) {
    return tensor(h, w, c, dtype, Home::Input);
  }
  uint32_t output(uint32_t h, uint32_t w, uint32_t c, DType dtype = DType::I8) {
    return tensor(h, w, c, dtype, Home::Output);
  }
  /// Other dimensions of the same bytes.
  uint32_t alias(uint32_t of, uint32_t h, uint32_t w, uint32_t c);

  /// Fills in weights, bias, scales and clamps of \p layer, whose tensors and window are set.
  MacLayer finished(MacLayer layer);
  FusedEltwise eltwise(uint32_t operand);

  template <typename Work> void add(Work work) {
    Layer layer;
    layer.composite = "test.layer";
    layer.operators = {uint32_t(graph.layers.size()) + 10};
    layer.work = std::move(work);
    graph.layers.push_back(std::move(layer));
  }

  LayerGraph graph;

private:
  std::mt19937 random;
};

/// Output extent of a window over \p in.
inline uint32_t outExtent(uint32_t in, uint32_t pad, uint32_t kernel, uint32_t stride,
                          uint32_t dilation = 1) {
  return (in + pad - ((kernel - 1) * dilation + 1)) / stride + 1;
}

/// A square convolution; weights and scales are GraphMaker::finished's.
MacLayer convolution(uint32_t input, uint32_t output, uint8_t kernel, uint8_t stride, uint32_t pad);

/// A first convolution, a residual block with a depthwise one, a mean and a fully connected layer.
LayerGraph residualNetwork(uint32_t seed);

} // namespace tenon::mortise::testing
