// SPDX-License-Identifier: Apache-2.0
// MLIR text of the integer kernels. Values are exact: activations and weights are widened to i16
// less their zero points, sums are i32, rescaling is TOSA's in i64.
#include "backend/host/KernelText.h"

#include <vector>

namespace tenon::host {
namespace {

/// Sums of products of neighbouring pairs, by the CPU's own instruction where it has one.
const char *multiplyAddText(const hostkernels::CpuLevel &cpu) {
  if (cpu.name == "x86-64-v3" || cpu.name == "x86-64-v4")
    return R"(
func.func private @multiply_add(%a: vector<16xi16>, %b: vector<16xi16>) -> vector<8xi32> {
  %r = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%a, %b)
      : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
  return %r : vector<8xi32>
}
)";
  return R"(
func.func private @multiply_add(%a: vector<16xi16>, %b: vector<16xi16>) -> vector<8xi32> {
  %a0, %a1 = vector.deinterleave %a : vector<16xi16> -> vector<8xi16>
  %b0, %b1 = vector.deinterleave %b : vector<16xi16> -> vector<8xi16>
  %wa0 = arith.extsi %a0 : vector<8xi16> to vector<8xi32>
  %wa1 = arith.extsi %a1 : vector<8xi16> to vector<8xi32>
  %wb0 = arith.extsi %b0 : vector<8xi16> to vector<8xi32>
  %wb1 = arith.extsi %b1 : vector<8xi16> to vector<8xi32>
  %p0 = arith.muli %wa0, %wb0 : vector<8xi32>
  %p1 = arith.muli %wa1, %wb1 : vector<8xi32>
  %r = arith.addi %p0, %p1 : vector<8xi32>
  return %r : vector<8xi32>
}
)";
}

/// tosa.rescale and tosa.clamp of $W channels from %c on. Parameters are five arrays of
/// %channels: bias i32, multiplier i32, shift i64, rounding of a sum >= 0 and of one < 0, i64.
constexpr const char *kRequantizeText = R"(
func.func private @requantize_$W(%sum: vector<$Wxi32>, %parameters: !llvm.ptr, %channels: i64,
    %c: i64, %zero_point: i32, %low: i32, %high: i32) -> vector<$Wxi8> {
  %four = arith.constant 4 : i64
  %eight = arith.constant 8 : i64
  %c4 = arith.muli %c, %four : i64
  %c8 = arith.muli %c, %eight : i64
  %array4 = arith.muli %channels, %four : i64
  %array8 = arith.muli %channels, %eight : i64
  %multipliers = llvm.getelementptr %parameters[%array4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %shifts = llvm.getelementptr %parameters[%array8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %positives = llvm.getelementptr %shifts[%array8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %negatives = llvm.getelementptr %positives[%array8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %at0 = llvm.getelementptr %multipliers[%c4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %at1 = llvm.getelementptr %shifts[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %at2 = llvm.getelementptr %positives[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %at3 = llvm.getelementptr %negatives[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %multiplier = llvm.load %at0 {alignment = 4 : i64} : !llvm.ptr -> vector<$Wxi32>
  %shift = llvm.load %at1 {alignment = 8 : i64} : !llvm.ptr -> vector<$Wxi64>
  %positive = llvm.load %at2 {alignment = 8 : i64} : !llvm.ptr -> vector<$Wxi64>
  %negative = llvm.load %at3 {alignment = 8 : i64} : !llvm.ptr -> vector<$Wxi64>
  %zero = arith.constant dense<0> : vector<$Wxi32>
  %is_negative = arith.cmpi slt, %sum, %zero : vector<$Wxi32>
  %rounding = arith.select %is_negative, %negative, %positive : vector<$Wxi1>, vector<$Wxi64>
  %wide = arith.extsi %sum : vector<$Wxi32> to vector<$Wxi64>
  %wide_multiplier = arith.extsi %multiplier : vector<$Wxi32> to vector<$Wxi64>
  %product = arith.muli %wide, %wide_multiplier : vector<$Wxi64>
  %rounded = arith.addi %product, %rounding : vector<$Wxi64>
  %shifted = arith.shrsi %rounded, %shift : vector<$Wxi64>
  %scaled = arith.trunci %shifted : vector<$Wxi64> to vector<$Wxi32>
  %zero_points = vector.broadcast %zero_point : i32 to vector<$Wxi32>
  %lows = vector.broadcast %low : i32 to vector<$Wxi32>
  %highs = vector.broadcast %high : i32 to vector<$Wxi32>
  %moved = arith.addi %scaled, %zero_points : vector<$Wxi32>
  %above = arith.maxsi %moved, %lows : vector<$Wxi32>
  %between = arith.minsi %above, %highs : vector<$Wxi32>
  %result = arith.trunci %between : vector<$Wxi32> to vector<$Wxi8>
  return %result : vector<$Wxi8>
}
)";

/// Reads of geometry, common to the kernels, in the order of ConvolutionLayout.h.
std::string geometryText() {
  const char *fields[] = {"pixels",      "out_height", "out_width",  "height",     "width",
                          "in_channels", "channels",   "kernel_h",   "groups",     "group_width",
                          "stride_h",    "stride_w",   "dilation_h", "dilation_w", "pad_top",
                          "pad_left",    "row_length", "columns",    "blocks",     "chunk"};
  const char *narrow[] = {"input_zp", "output_zp", "low", "high"};
  std::string text;
  int index = 0;
  auto add = [&](const std::string &name) {
    const std::string at = std::to_string(index++);
    text += "  %g" + at + " = llvm.getelementptr %geometry[" + at +
            "] : (!llvm.ptr) -> !llvm.ptr, i64\n  %" + name + " = llvm.load %g" + at +
            " : !llvm.ptr -> i64\n";
  };
  for (const char *field : fields)
    add(field);
  for (const char *field : narrow) {
    add(std::string(field) + "64");
    text += std::string("  %") + field + " = arith.trunci %" + field + "64 : i64 to i32\n";
  }
  return text;
}

/// A row of the matrix a convolution multiplies: one output pixel's inputs, i16 less zero point.
constexpr const char *kPackText = R"(
func.func private @pack_run(%from: !llvm.ptr, %to: !llvm.ptr, %count: i64, %zp: i16) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 16 : i64
  %is_long = arith.cmpi sge, %count, %step : i64
  scf.if %is_long {
    %zps = vector.broadcast %zp : i16 to vector<16xi16>
    %last = arith.subi %count, %step : i64
    scf.for %i = %zero to %count step %step : i64 {
      %at = arith.minsi %i, %last : i64
      %source = llvm.getelementptr %from[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %target = llvm.getelementptr %to[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %bytes = llvm.load %source {alignment = 1 : i64} : !llvm.ptr -> vector<16xi8>
      %wide = arith.extsi %bytes : vector<16xi8> to vector<16xi16>
      %less = arith.subi %wide, %zps : vector<16xi16>
      llvm.store %less, %target {alignment = 2 : i64} : vector<16xi16>, !llvm.ptr
    }
  } else {
    scf.for %i = %zero to %count step %one : i64 {
      %source = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %target = llvm.getelementptr %to[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %byte = llvm.load %source : !llvm.ptr -> i8
      %wide = arith.extsi %byte : i8 to i16
      %less = arith.subi %wide, %zp : i16
      llvm.store %less, %target : i16, !llvm.ptr
    }
  }
  return
}
func.func private @pack_row(%input: !llvm.ptr, %row: !llvm.ptr, %pixel: i64,
                            %geometry: !llvm.ptr) {
$GEOMETRY
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %null = arith.constant 0 : i16
  scf.for %i = %zero to %columns step %one : i64 {
    %at = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    llvm.store %null, %at : i16, !llvm.ptr
  }
  %zp = arith.trunci %input_zp : i32 to i16
  %line = arith.divsi %pixel, %out_width : i64
  %ox = arith.remsi %pixel, %out_width : i64
  %image = arith.divsi %line, %out_height : i64
  %oy = arith.remsi %line, %out_height : i64
  %y_stride = arith.muli %oy, %stride_h : i64
  %x_stride = arith.muli %ox, %stride_w : i64
  %y_first = arith.subi %y_stride, %pad_top : i64
  %x_first = arith.subi %x_stride, %pad_left : i64
  scf.for %ky = %zero to %kernel_h step %one : i64 {
    %y_step = arith.muli %ky, %dilation_h : i64
    %y = arith.addi %y_first, %y_step : i64
    %y_in = arith.cmpi ult, %y, %height : i64
    scf.if %y_in {
      %image_line = arith.muli %image, %height : i64
      %input_line = arith.addi %image_line, %y : i64
      %input_start = arith.muli %input_line, %width : i64
      %row_start = arith.muli %ky, %row_length : i64
      scf.for %group = %zero to %groups step %one : i64 {
        %x_step = arith.muli %group, %dilation_w : i64
        %x = arith.addi %x_first, %x_step : i64
        %x_before = arith.subi %zero, %x : i64
        %start = arith.maxsi %x_before, %zero : i64
        %room = arith.subi %width, %x : i64
        %end = arith.minsi %room, %group_width : i64
        %taps = arith.subi %end, %start : i64
        %some = arith.cmpi sgt, %taps, %zero : i64
        scf.if %some {
          %x_start = arith.addi %x, %start : i64
          %position = arith.addi %input_start, %x_start : i64
          %from = arith.muli %position, %in_channels : i64
          %group_taps = arith.muli %group, %group_width : i64
          %tap = arith.addi %group_taps, %start : i64
          %tap_start = arith.muli %tap, %in_channels : i64
          %to = arith.addi %row_start, %tap_start : i64
          %count = arith.muli %taps, %in_channels : i64
          %source = llvm.getelementptr %input[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %target = llvm.getelementptr %row[%to] : (!llvm.ptr, i64) -> !llvm.ptr, i16
          func.call @pack_run(%source, %target, %count, %zp) : (!llvm.ptr, !llvm.ptr, i64, i16) -> ()
        }
      }
    }
  }
  return
}
)";

/// One pixel's 16 channels into the output; fewer when the layer has no 16.
constexpr const char *kStoreText = R"(
func.func private @store_16(%low_sum: vector<8xi32>, %high_sum: vector<8xi32>,
    %parameters: !llvm.ptr, %padded: i64, %c: i64, %zp: i32, %low: i32, %high: i32,
    %to: !llvm.ptr, %count: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %all = arith.constant 16 : i64
  %space = llvm.alloca %all x i8 {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %c_high = arith.addi %c, %eight : i64
  %a = func.call @requantize_8(%low_sum, %parameters, %padded, %c, %zp, %low, %high)
      : (vector<8xi32>, !llvm.ptr, i64, i64, i32, i32, i32) -> vector<8xi8>
  %b = func.call @requantize_8(%high_sum, %parameters, %padded, %c_high, %zp, %low, %high)
      : (vector<8xi32>, !llvm.ptr, i64, i64, i32, i32, i32) -> vector<8xi8>
  %bytes = vector.shuffle %a, %b [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
      : vector<8xi8>, vector<8xi8>
  %is_full = arith.cmpi sge, %count, %all : i64
  scf.if %is_full {
    llvm.store %bytes, %to {alignment = 1 : i64} : vector<16xi8>, !llvm.ptr
  } else {
    llvm.store %bytes, %space {alignment = 16 : i64} : vector<16xi8>, !llvm.ptr
    scf.for %i = %zero to %count step %one : i64 {
      %source = llvm.getelementptr %space[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %target = llvm.getelementptr %to[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %byte = llvm.load %source : !llvm.ptr -> i8
      llvm.store %byte, %target : i8, !llvm.ptr
    }
  }
  return
}
)";

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Lines for each of the four rows a tile has, $R being the row.
std::string fourRows(const std::string &line) {
  std::string text;
  for (int row = 0; row < 4; ++row)
    text += replaceAll(line, "$R", std::to_string(row));
  return text;
}

/// Chunks of pixels are packed, then every block of 16 channels meets them four rows at a time.
/// Rows past the chunk repeat its last row, which writes the same bytes again.
std::string convText() {
  std::string text = R"(
func.func @tenon_conv_i8(%input: !llvm.ptr, %output: !llvm.ptr, %weights: !llvm.ptr,
    %parameters: !llvm.ptr, %scratch: !llvm.ptr, %geometry: !llvm.ptr) {
$GEOMETRY
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %sixteen = arith.constant 16 : i64
  %padded = arith.maxsi %channels, %sixteen : i64
  %last_block = arith.subi %padded, %sixteen : i64
  %stored = arith.minsi %channels, %sixteen : i64
  %block_weights = arith.muli %columns, %sixteen : i64
  scf.for %first = %zero to %pixels step %chunk : i64 {
    %left = arith.subi %pixels, %first : i64
    %rows = arith.minsi %left, %chunk : i64
    %last_row = arith.subi %rows, %one : i64
    scf.for %r = %zero to %rows step %one : i64 {
      %row_at = arith.muli %r, %columns : i64
      %row = llvm.getelementptr %scratch[%row_at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %pixel = arith.addi %first, %r : i64
      func.call @pack_row(%input, %row, %pixel, %geometry)
          : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    }
    scf.for %block = %zero to %blocks step %one : i64 {
      %block_first = arith.muli %block, %sixteen : i64
      %c = arith.minsi %block_first, %last_block : i64
      %weights_at = arith.muli %block, %block_weights : i64
      %block_at = llvm.getelementptr %weights[%weights_at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %bias_at = llvm.getelementptr %parameters[%c] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %bias_high = llvm.getelementptr %bias_at[8] : (!llvm.ptr) -> !llvm.ptr, i32
      %bias0 = llvm.load %bias_at {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
      %bias1 = llvm.load %bias_high {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
      scf.for %r = %zero to %rows step %four : i64 {
$ROWS
        %sums:8 = scf.for %k = %zero to %columns step %two
            iter_args(%s00 = %bias0, %s01 = %bias1, %s10 = %bias0, %s11 = %bias1,
                      %s20 = %bias0, %s21 = %bias1, %s30 = %bias0, %s31 = %bias1)
            -> (vector<8xi32>, vector<8xi32>, vector<8xi32>, vector<8xi32>,
                vector<8xi32>, vector<8xi32>, vector<8xi32>, vector<8xi32>) : i64 {
          %w_at = arith.muli %k, %sixteen : i64
          %w0_at = llvm.getelementptr %block_at[%w_at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
          %w1_at = llvm.getelementptr %w0_at[16] : (!llvm.ptr) -> !llvm.ptr, i16
          %w0 = llvm.load %w0_at {alignment = 32 : i64} : !llvm.ptr -> vector<16xi16>
          %w1 = llvm.load %w1_at {alignment = 32 : i64} : !llvm.ptr -> vector<16xi16>
$STEPS
          scf.yield %n00, %n01, %n10, %n11, %n20, %n21, %n30, %n31
              : vector<8xi32>, vector<8xi32>, vector<8xi32>, vector<8xi32>,
                vector<8xi32>, vector<8xi32>, vector<8xi32>, vector<8xi32>
        }
$STORES
      }
    }
  }
  return
}
)";
  text = replaceAll(text, "$ROWS", fourRows(R"(
        %o$R = arith.constant $R : i64
        %next$R = arith.addi %r, %o$R : i64
        %row$R = arith.minsi %next$R, %last_row : i64
        %row_at$R = arith.muli %row$R, %columns : i64
        %a$R = llvm.getelementptr %scratch[%row_at$R] : (!llvm.ptr, i64) -> !llvm.ptr, i16)"));
  text = replaceAll(text, "$STEPS", fourRows(R"(
          %pair_at$R = llvm.getelementptr %a$R[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i16
          %pair$R = llvm.load %pair_at$R {alignment = 4 : i64} : !llvm.ptr -> i32
          %pairs$R = vector.broadcast %pair$R : i32 to vector<8xi32>
          %v$R = vector.bitcast %pairs$R : vector<8xi32> to vector<16xi16>
          %m$R0 = func.call @multiply_add(%v$R, %w0)
              : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
          %m$R1 = func.call @multiply_add(%v$R, %w1)
              : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
          %n$R0 = arith.addi %s$R0, %m$R0 : vector<8xi32>
          %n$R1 = arith.addi %s$R1, %m$R1 : vector<8xi32>)"));
  std::string stores;
  for (int row = 0; row < 4; ++row)
    stores += replaceAll(replaceAll(R"(
        %pixel$R = arith.addi %first, %row$R : i64
        %start$R = arith.muli %pixel$R, %channels : i64
        %out$R = arith.addi %start$R, %c : i64
        %to$R = llvm.getelementptr %output[%out$R] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        func.call @store_16(%sums#$L, %sums#$H, %parameters, %padded, %c, %output_zp, %low, %high,
                            %to$R, %stored)
            : (vector<8xi32>, vector<8xi32>, !llvm.ptr, i64, i64, i32, i32, i32, !llvm.ptr, i64)
            -> ())",
                                    "$R", std::to_string(row)),
                         "$L", std::to_string(2 * row));
  for (int row = 0; row < 4; ++row) // the n-th "$H" belongs to row n
    stores.replace(stores.find("$H"), 2, std::to_string(2 * row + 1));
  return replaceAll(text, "$STORES", stores);
}

/// $W channels of one output pixel at a time; the last block overlaps the one before.
constexpr const char *kDepthwiseText = R"(
func.func @tenon_depthwise_i8_$W(%input: !llvm.ptr, %output: !llvm.ptr, %weights: !llvm.ptr,
    %parameters: !llvm.ptr, %scratch: !llvm.ptr, %geometry: !llvm.ptr) {
$GEOMETRY
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lanes = arith.constant $W : i64
  %last = arith.subi %channels, %lanes : i64
  %zps = vector.broadcast %input_zp : i32 to vector<$Wxi32>
  scf.for %pixel = %zero to %pixels step %one : i64 {
    %line = arith.divsi %pixel, %out_width : i64
    %ox = arith.remsi %pixel, %out_width : i64
    %image = arith.divsi %line, %out_height : i64
    %oy = arith.remsi %line, %out_height : i64
    %y_stride = arith.muli %oy, %stride_h : i64
    %x_stride = arith.muli %ox, %stride_w : i64
    %y_first = arith.subi %y_stride, %pad_top : i64
    %x_first = arith.subi %x_stride, %pad_left : i64
    %image_line = arith.muli %image, %height : i64
    %out_start = arith.muli %pixel, %channels : i64
    scf.for %block = %zero to %channels step %lanes : i64 {
      %c = arith.minsi %block, %last : i64
      %bias_at = llvm.getelementptr %parameters[%c] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %bias = llvm.load %bias_at {alignment = 4 : i64} : !llvm.ptr -> vector<$Wxi32>
      %sum = scf.for %ky = %zero to %kernel_h step %one iter_args(%line_sum = %bias)
          -> (vector<$Wxi32>) : i64 {
        %y_step = arith.muli %ky, %dilation_h : i64
        %y = arith.addi %y_first, %y_step : i64
        %y_in = arith.cmpi ult, %y, %height : i64
        %next_line = scf.if %y_in -> (vector<$Wxi32>) {
          %input_line = arith.addi %image_line, %y : i64
          %input_start = arith.muli %input_line, %width : i64
          %first_tap = arith.muli %ky, %groups : i64
          %line_result = scf.for %kx = %zero to %groups step %one iter_args(%tap_sum = %line_sum)
              -> (vector<$Wxi32>) : i64 {
            %x_step = arith.muli %kx, %dilation_w : i64
            %x = arith.addi %x_first, %x_step : i64
            %x_in = arith.cmpi ult, %x, %width : i64
            %next_tap = scf.if %x_in -> (vector<$Wxi32>) {
              %position = arith.addi %input_start, %x : i64
              %from = arith.muli %position, %channels : i64
              %from_c = arith.addi %from, %c : i64
              %tap = arith.addi %first_tap, %kx : i64
              %tap_start = arith.muli %tap, %channels : i64
              %tap_c = arith.addi %tap_start, %c : i64
              %x_at = llvm.getelementptr %input[%from_c] : (!llvm.ptr, i64) -> !llvm.ptr, i8
              %w_at = llvm.getelementptr %weights[%tap_c] : (!llvm.ptr, i64) -> !llvm.ptr, i16
              %x_bytes = llvm.load %x_at {alignment = 1 : i64} : !llvm.ptr -> vector<$Wxi8>
              %w_narrow = llvm.load %w_at {alignment = 2 : i64} : !llvm.ptr -> vector<$Wxi16>
              %x_wide = arith.extsi %x_bytes : vector<$Wxi8> to vector<$Wxi32>
              %x_less = arith.subi %x_wide, %zps : vector<$Wxi32>
              %w = arith.extsi %w_narrow : vector<$Wxi16> to vector<$Wxi32>
              %product = arith.muli %x_less, %w : vector<$Wxi32>
              %added = arith.addi %tap_sum, %product : vector<$Wxi32>
              scf.yield %added : vector<$Wxi32>
            } else {
              scf.yield %tap_sum : vector<$Wxi32>
            }
            scf.yield %next_tap : vector<$Wxi32>
          }
          scf.yield %line_result : vector<$Wxi32>
        } else {
          scf.yield %line_sum : vector<$Wxi32>
        }
        scf.yield %next_line : vector<$Wxi32>
      }
      %bytes = func.call @requantize_$W(%sum, %parameters, %channels, %c, %output_zp, %low, %high)
          : (vector<$Wxi32>, !llvm.ptr, i64, i64, i32, i32, i32) -> vector<$Wxi8>
      %to = arith.addi %out_start, %c : i64
      %out_at = llvm.getelementptr %output[%to] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %bytes, %out_at {alignment = 1 : i64} : vector<$Wxi8>, !llvm.ptr
    }
  }
  return
}
)";

} // namespace

std::string depthwiseKernelName(int lanes) { return "tenon_depthwise_i8_" + std::to_string(lanes); }

std::string kernelModuleText(const hostkernels::CpuLevel &cpu) {
  std::string text = multiplyAddText(cpu);
  text += kPackText;
  for (int lanes : {1, 4, 8, 16}) {
    text += replaceAll(kRequantizeText, "$W", std::to_string(lanes));
    text += replaceAll(kDepthwiseText, "$W", std::to_string(lanes));
  }
  text += kStoreText;
  text += convText();
  return replaceAll(text, "$GEOMETRY", geometryText());
}

} // namespace tenon::host
