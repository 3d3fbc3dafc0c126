// SPDX-License-Identifier: Apache-2.0
// What a pattern recognises in the graph: the same whether it stands in @main or in a composite.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "backend/patterns/Finding.h"
#include "backend/patterns/Ir.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::patterns {

/// rescale's parameters for all channels.
struct RescaleParse {
  mlir::tosa::RescaleOp op;
  int64_t inputZeroPoint = 0, outputZeroPoint = 0;
};

/// ADD or SUB as TFLite means it: result(main(x << shift) op operand(y << shift)).
struct AddParse {
  bool subtract = false;     ///< x - y, where x is the first operand in the graph
  bool firstIsOther = false; ///< operand is the graph's first operand
  mlir::Value convolved, operand;
  int64_t leftShift = 0;
  RescaleParse main, other, result;
  int64_t convolvedZeroPoint = 0, operandZeroPoint = 0;
  int64_t low = -128, high = 127;
};

/// One input of ADD or SUB: rescale to i32, below it a left shift from int8.
struct SumSide {
  RescaleParse scale;
  mlir::Value tensor; ///< int8
  int64_t leftShift = 0, zeroPoint = 0;
  llvm::SmallVector<mlir::Operation *> operators;
};

/// A whole ADD or SUB: result(first(a << shift) op second(b << shift)).
struct SumParse {
  llvm::SmallVector<mlir::Operation *> operators; ///< the root first
  bool subtract = false;
  SumSide first, second;
  RescaleParse result;
  int64_t low = -128, high = 127;
};

struct ConvolutionParse {
  mlir::Operation *convolution = nullptr;
  bool depthwise = false, fullyConnected = false;
  mlir::Value input;            ///< before reshape, slice and pad
  Extents inputExtents;         ///< as the convolution reads it, before slice and pad
  std::array<int64_t, 4> pad{}; ///< top, bottom, left, right
  std::array<int64_t, 2> kernel{}, stride{}, dilation{};
  RescaleParse rescale;
  int64_t low = -128, high = 127;
  std::optional<AddParse> add;
  mlir::Value table; ///< 256 x i8, applied last; null if none
};

struct PoolParse {
  bool average = false;
  mlir::Value input;
  std::array<int64_t, 2> kernel{}, stride{};
  std::array<int64_t, 4> pad{};
  int64_t low = -128, high = 127;
  std::optional<int64_t> inputZeroPoint; ///< average
  bool unsignedOrigin = false;           ///< average of value + 128
};

struct MeanParse {
  mlir::Value input;
  bool overRows = false, overColumns = false, overChannels = false;
  int64_t inputZeroPoint = 0, outputZeroPoint = 0, multiplier = 0, shift = 0;
};

struct SoftmaxParse {
  mlir::Value input;
  std::vector<int32_t> table; ///< exp by difference from the maximum, plus 255
};

/// Operators that a micro-program computes element by element.
struct ElementwiseParse {
  llvm::SmallVector<mlir::Value> inputs; ///< one or two
};

/// Bytes moved: each part from an input to the result.
struct CopyParse {
  struct Part {
    mlir::Value input;
    std::array<int64_t, 3> from{}, to{}, extent{};
  };
  std::vector<Part> parts;
  std::optional<int64_t> fill; ///< value around the part, the tensor's zero point
};

struct ReshapeParse {
  mlir::Value input;
};

/// uint8 outside, int8 inside: the same bytes but for the sign.
struct EdgeCastParse {
  mlir::Value input;
  bool incoming = false;
};

struct Parsed {
  llvm::SmallVector<mlir::Operation *> operators; ///< the root first
  mlir::Value result;
  std::vector<Finding> findings; ///< for the target's rules
  std::variant<ConvolutionParse, PoolParse, MeanParse, SoftmaxParse, ElementwiseParse, CopyParse,
               ReshapeParse, EdgeCastParse>
      work;
};

/// What may be fused into a convolution.
struct Fusion {
  bool pad = false, add = false, table = false;
};

/// Each recognises one shape that ends in \p root, or declines.
enum class ConvolutionKind { Conv2d, Depthwise, FullyConnected };
std::optional<Parsed> parseConvolution(mlir::Operation *root, ConvolutionKind kind, Fusion fusion);
std::optional<Parsed> parseMaxPool(mlir::Operation *root);
std::optional<Parsed> parseAveragePool(mlir::Operation *root);
std::optional<Parsed> parseMean(mlir::Operation *root);
std::optional<Parsed> parseSoftmax(mlir::Operation *root);
std::optional<Parsed> parseElementwise(mlir::Operation *root);
std::optional<Parsed> parseConcat(mlir::Operation *root);
std::optional<Parsed> parsePad(mlir::Operation *root);
std::optional<Parsed> parseSlice(mlir::Operation *root);
std::optional<Parsed> parseReshape(mlir::Operation *root);
std::optional<Parsed> parseEdgeCast(mlir::Operation *root);

/// As these, for an addition or subtraction of two int8 tensors that are computed or constant and
/// may broadcast.
std::optional<SumParse> parseSum(mlir::Operation *root);

/// One operand of an addition's i32 tensors, if it is such.
std::optional<SumSide> readSumSide(mlir::Value value);
/// An optional clamp, which narrows [low, high], then a rescale of the same unit from i32 to the
/// int8
/// \p end. Appends what it took to \p taken, and moves \p end to the rescale's input.
std::optional<RescaleParse> takeOutputRescale(mlir::Value &end, int64_t &low, int64_t &high,
                                              llvm::SmallVectorImpl<mlir::Operation *> &taken);

/// A rescale by 32-bit multipliers between signed tensors with constant parameters.
std::optional<RescaleParse> readRescale(mlir::Operation *op);
/// Narrows [low, high] by a tosa.clamp of integers; false if \p op is none.
bool readClamp(mlir::Operation *op, int64_t &low, int64_t &high);

/// Findings that every tensor a layer touches gives: extents.
void addExtents(Parsed &parsed, mlir::Value value);

} // namespace tenon::patterns
