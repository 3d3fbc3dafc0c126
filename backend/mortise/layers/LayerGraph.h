// SPDX-License-Identifier: Apache-2.0
// What select makes of a partition and plan, place and emit turn into a stream: layers of one
// engine's work between tensors, with everything constant about them. No MLIR here.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hardware/mortise/generated/Isa.h"

namespace tenon::mortise {

/// Where a tensor lives between layers: dense row-major [h][w][c] in DRAM.
enum class Home : uint8_t {
  Input,  ///< region 3, the partition's input number `edge`
  Output, ///< region 4, the partition's output number `edge`
  Scratch ///< region 2, placed by lifetime
};

/// A tensor between layers. Batches and ranks other than 4 are folded into h and w by select.
struct LayerTensor {
  std::string name;
  uint32_t h = 1, w = 1, c = 1;
  DType dtype = DType::I8; ///< as its bytes lie in DRAM; U8 only for Input and Output
  int32_t zeroPoint = 0;   ///< of that dtype; 0 for I32
  Home home = Home::Scratch;
  uint32_t edge = 0; ///< Input, Output: which
  /// Another name of the same bytes (reshape): index of the tensor that owns them. h*w*c, dtype
  /// and zero point agree.
  std::optional<uint32_t> aliasOf;
  uint64_t sizeBytes() const {
    return uint64_t(h) * w * c * (dtype == DType::I32 ? 4 : dtype == DType::I16 ? 2 : 1);
  }
};

/// tosa.rescale's pair.
struct Scale {
  int32_t multiplier = 1 << 30;
  uint8_t shift = 30;
};

/// An addition (or kin) fused behind a convolution: manual 5, PPU step 5.
struct FusedEltwise {
  Eltwise op = Eltwise::ADD;
  uint32_t operand = 0; ///< tensor, of the output's shape
  uint8_t inputLeftShift = 0;
  Scale main, operandScale, result;
};

/// Convolution, depthwise convolution or fully connected layer with what follows it.
struct MacLayer {
  MacMode mode = MacMode::CONV; ///< MATMUL: h*w rows, no window
  uint32_t input = 0, output = 0;
  uint8_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
  /// Padding reads the input's zero point. Bottom and right may exceed what windows reach.
  uint32_t padTop = 0, padLeft = 0, padBottom = 0, padRight = 0;
  uint8_t channelMultiplier = 1; ///< DEPTHWISE
  /// int8, CONV and MATMUL [oc][kh][kw][ic], DEPTHWISE [kh][kw][oc].
  std::vector<int8_t> weights;
  int16_t weightZeroPoint = 0;
  std::vector<int32_t> bias; ///< oc
  std::vector<Scale> scales; ///< oc
  Rounding rounding = Rounding::DOUBLE;
  int32_t zeroPointA = 0; ///< of the convolution's own result, in the output's dtype if not fused
  int32_t clampAMin = -128, clampAMax = 127;
  std::optional<FusedEltwise> eltwise;
  int32_t clampBMin = INT32_MIN, clampBMax = INT32_MAX;
  std::optional<std::array<int8_t, 256>> table; ///< by int8 value + 128, after clamp B
};

/// Max or average pooling.
struct PoolLayer {
  VecOperation operation = VecOperation::MAX;
  uint32_t input = 0, output = 0;
  uint8_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1;
  uint32_t padTop = 0, padLeft = 0, padBottom = 0, padRight = 0;
  PoolRounding rounding = PoolRounding::HALF_AWAY;
  int32_t inputOffset = 0; ///< AVERAGE: added to (value - zero point), taken off after rounding
  int32_t clampMin = INT32_MIN, clampMax = INT32_MAX; ///< before the output's zero point is added
};

/// Sum over H, W or C into an I32 tensor (a rescale program follows it).
struct ReduceLayer {
  VecOperation operation = VecOperation::SUM;
  uint32_t input = 0, output = 0;
  uint8_t axes = 0; ///< Axis bits; the output's extent there is 1
  int32_t inputOffset = 0;
};

/// An element-wise program of at most 16 micro-ops, as the manual runs it.
struct ElementwiseLayer {
  uint32_t a = 0, output = 0;
  std::optional<uint32_t> b; ///< may have extent 1 where the output has more: broadcast
  std::vector<MicroOp> program;
  std::vector<uint8_t> tables; ///< LUT bytes the program's LUT8 immediates are offsets into
  int32_t immediate0 = 0, immediate1 = 0;
  /// The program reduces over channels (RSUM, RMAX, RMIN): a tile holds all of a pixel's.
  bool wholePixels = false;
};

/// Bytes moved without arithmetic: concatenation, slice, padding with the zero point. The part
/// begins at these offsets in each tensor.
struct CopyLayer {
  uint32_t input = 0, output = 0;
  std::array<uint32_t, 3> from{}, to{}; ///< h, w, c
  std::array<uint32_t, 3> extent{};     ///< h, w, c
  bool fillFirst = false; ///< the rest of the output is its zero point (one copy an output)
};

struct Layer {
  std::string composite;           ///< "mortise.conv2d", for cost and debug tables
  std::vector<uint32_t> operators; ///< model operator indices
  uint64_t macs = 0;
  std::variant<MacLayer, PoolLayer, ReduceLayer, ElementwiseLayer, CopyLayer> work;
};

/// A partition. Layers in a legal order; a tensor is written before it is read.
struct LayerGraph {
  std::vector<LayerTensor> tensors;
  std::vector<Layer> layers;
  std::vector<uint64_t> inputBytes, outputBytes; ///< of the edges, in order (EdgeLayout)
};

} // namespace tenon::mortise
