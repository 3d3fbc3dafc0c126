// SPDX-License-Identifier: Apache-2.0
// Operators by the general lowering, against values worked out here.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "backend/host/HostTestSupport.h"

namespace tenon::host {
namespace {

using I8 = std::vector<int8_t>;
using F32 = std::vector<float>;

/// `func @f(%a: IN) -> OUT` around \p body, whose result is %r.
std::string function(const std::string &in, const std::string &out, const std::string &body) {
  return "func.func @f(%a: " + in + ") -> " + out + " {\n" + body + "\nreturn %r : " + out + "\n}";
}

/// One unary operator on four elements of \p type.
std::string unary(const std::string &name, const std::string &type) {
  const std::string tensor = "tensor<4x" + type + ">";
  return function(tensor, tensor, "%r = " + name + " %a : (" + tensor + ") -> " + tensor);
}

void expectNear(const F32 &actual, const F32 &expected, float tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t index = 0; index < expected.size(); ++index)
    EXPECT_NEAR(actual[index], expected[index], tolerance) << "element " << index;
}

TEST(Operators, FloatFunctions) {
  const F32 x = {-2.5F, -0.25F, 0.5F, 3.0F};
  struct Row {
    const char *name;
    double (*function)(double);
  };
  for (const Row &row :
       {Row{"tosa.exp", std::exp}, Row{"tosa.tanh", std::tanh},
        Row{"tosa.sigmoid", [](double v) { return 1 / (1 + std::exp(-v)); }},
        Row{"tosa.erf", std::erf}, Row{"tosa.floor", std::floor}, Row{"tosa.ceil", std::ceil},
        Row{"tosa.abs", std::fabs}, Row{"tosa.cos", std::cos}, Row{"tosa.sin", std::sin},
        Row{"tosa.reciprocal", [](double v) { return 1 / v; }}}) {
    F32 expected;
    for (float value : x)
      expected.push_back(static_cast<float>(row.function(value)));
    SCOPED_TRACE(row.name);
    expectNear(runOne<float>(unary(row.name, "f32"), x, 4), expected, 2e-5F);
  }
}

TEST(Operators, FloatLogarithmAndRoots) {
  const F32 x = {0.25F, 1.0F, 2.0F, 100.0F};
  F32 logs, roots;
  for (float value : x) {
    logs.push_back(std::log(value));
    roots.push_back(1 / std::sqrt(value));
  }
  expectNear(runOne<float>(unary("tosa.log", "f32"), x, 4), logs, 1e-5F);
  expectNear(runOne<float>(unary("tosa.rsqrt", "f32"), x, 4), roots, 1e-5F);
}

TEST(Operators, FloatConvolution) {
  const auto r = runOne<float>(function("tensor<1x2x3x1xf32>", "tensor<1x2x2x2xf32>", R"(
    %w = "tosa.const"() <{values = dense<[[[[1.0], [2.0]]], [[[0.5], [-1.0]]]]>
      : tensor<2x1x2x1xf32>}> : () -> tensor<2x1x2x1xf32>
    %b = "tosa.const"() <{values = dense<[10.0, 20.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %r = tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>,
      stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x3x1xf32>,
      tensor<2x1x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>)"),
                               F32{1, 2, 3, 4, 5, 6}, 8);
  EXPECT_EQ(r, (F32{15, 18.5F, 18, 18, 24, 17, 27, 16.5F}));
}

TEST(Operators, FloatMatrixProduct) {
  const auto r = runOne<float>(function("tensor<1x2x2xf32>", "tensor<1x2x2xf32>", R"(
    %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %r = tosa.matmul %a, %a, %z, %z : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>,
      tensor<1xf32>) -> tensor<1x2x2xf32>)"),
                               F32{1, 2, 3, 4}, 4);
  EXPECT_EQ(r, (F32{7, 10, 15, 22}));
}

/// TOSA 1.0, apply_scale_32 with double rounding.
int32_t applyScale(int32_t value, int32_t multiplier, int shift) {
  __int128 round = __int128(1) << (shift - 1);
  if (shift > 31)
    round += value >= 0 ? (1 << 30) : -(1 << 30);
  return static_cast<int32_t>((__int128(value) * multiplier + round) >> shift);
}

TEST(Operators, RescalesThirtyTwoBits) {
  std::mt19937 random(5);
  for (int shift : {31, 32, 33, 40, 49, 62}) {
    std::vector<int32_t> x = {0, 1, -1, INT32_MAX, INT32_MIN + 1}, expected;
    while (x.size() < 200)
      x.push_back(static_cast<int32_t>(random()) >> (random() % 24));
    for (int32_t value : x)
      expected.push_back(applyScale(value, 1518500250, shift));
    const auto r = runOne<int32_t>(function("tensor<200xi32>", "tensor<200xi32>",
                                            R"(
    %m = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
    %s = "tosa.const"() <{values = dense<)" + std::to_string(shift) +
                                                R"(> : tensor<1xi8>}> : () -> tensor<1xi8>
    %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %r = tosa.rescale %a, %m, %s, %z, %z {scale32 = true, rounding_mode = DOUBLE_ROUND,
      per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<200xi32>,
      tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<200xi32>)"),
                                   x, 200);
    EXPECT_EQ(r, expected) << "shift " << shift;
  }
}

TEST(Operators, SumsOverAnAxis) {
  const auto r = runOne<int32_t>(function("tensor<2x3xi32>", "tensor<2x1xi32>", R"(
    %r = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x1xi32>)"),
                                 std::vector<int32_t>{1, 2, 3, -4, -5, 1000000}, 2);
  EXPECT_EQ(r, (std::vector<int32_t>{6, 999991}));
}

TEST(Operators, PadWithAValue) {
  const auto r = runOne<int8_t>(function("tensor<1x2xi8>", "tensor<2x4xi8>", R"(
    %p = tosa.const_shape {values = dense<[0, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %v = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %r = tosa.pad %a, %p, %v : (tensor<1x2xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>)"),
                                I8{1, 2}, 8);
  EXPECT_EQ(r, (I8{-7, 1, 2, -7, -7, -7, -7, -7}));
}

TEST(Operators, ReshapeTransposeSliceConcat) {
  const auto r = runOne<int8_t>(function("tensor<6xi8>", "tensor<3x3xi8>", R"(
    %s = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %m = tosa.reshape %a, %s : (tensor<6xi8>, !tosa.shape<2>) -> tensor<2x3xi8>
    %t = tosa.transpose %m {perms = array<i32: 1, 0>} : (tensor<2x3xi8>) -> tensor<3x2xi8>
    %start = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %size = tosa.const_shape {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %c = tosa.slice %t, %start, %size
      : (tensor<3x2xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x1xi8>
    %r = tosa.concat %c, %t {axis = 1 : i32} : (tensor<3x1xi8>, tensor<3x2xi8>)
      -> tensor<3x3xi8>)"),
                                I8{1, 2, 3, 4, 5, 6}, 9);
  EXPECT_EQ(r, (I8{4, 1, 4, 5, 2, 5, 6, 3, 6}));
}

TEST(Operators, LooksUpATable) {
  std::string values;
  for (int index = -128; index < 128; ++index)
    values += (values.empty() ? "" : ",") + std::to_string(127 - std::abs(index));
  const auto r = runOne<int8_t>(
      function("tensor<4xi8>", "tensor<4xi8>",
               "%t = \"tosa.const\"() <{values = dense<[" + values +
                   "]> : tensor<256xi8>}> : () -> tensor<256xi8>\n%r = tosa.table %a, %t : "
                   "(tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>"),
      I8{-128, -1, 0, 127}, 4);
  EXPECT_EQ(r, (I8{-1, 126, 127, 0}));
}

TEST(Operators, MaxPoolWithPaddingAndStride) {
  const auto r = runOne<int8_t>(function("tensor<1x3x3x1xi8>", "tensor<1x2x2x1xi8>", R"(
    %r = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>,
      pad = array<i64: 0, 1, 0, 1>} : (tensor<1x3x3x1xi8>) -> tensor<1x2x2x1xi8>)"),
                                I8{-9, -8, -7, -6, -5, -4, -3, -2, -1}, 4);
  EXPECT_EQ(r, (I8{-5, -4, -2, -1}));
}

TEST(Operators, Uint8EdgeThereAndBack) {
  const std::string constants = R"(
    %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %h = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
    %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    )";
  const std::string types = " : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, "
                            "tensor<1xi8>) -> tensor<4xi8>\n";
  const std::string rest = "scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, ";
  const std::string in = "tosa.rescale %a, %m, %s, %h, %z {" + rest +
                         "input_unsigned = true, output_unsigned = false}" + types;
  const std::string back = "tosa.rescale %i, %m, %s, %z, %h {" + rest +
                           "input_unsigned = false, output_unsigned = true}" + types;
  const I8 bits = {0, 1, -128, -1}; // 0, 1, 128, 255
  EXPECT_EQ(
      runOne<int8_t>(function("tensor<4xi8>", "tensor<4xi8>", constants + "%r = " + in), bits, 4),
      (I8{-128, -127, 0, 127}));
  EXPECT_EQ(runOne<int8_t>(
                function("tensor<4xi8>", "tensor<4xi8>", constants + "%i = " + in + "%r = " + back),
                bits, 4),
            bits);
}

TEST(Operators, QuantisesAndDequantises) {
  // 0.5 a step, zero point 3: round half away from zero in the body, as TFLite does.
  const auto q = runOne<int8_t>(function("tensor<4xf32>", "tensor<4xi8>", R"(
    %e = tensor.empty() : tensor<4xi8>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xi8>) {
    ^bb0(%x: f32, %o: i8):
      %scale = arith.constant 0.5 : f32
      %d = arith.divf %x, %scale : f32
      %n = math.round %d : f32
      %i = arith.fptosi %n : f32 to i32
      %zp = arith.constant 3 : i32
      %s = arith.addi %i, %zp : i32
      %lo = arith.constant -128 : i32
      %hi = arith.constant 127 : i32
      %l = arith.maxsi %s, %lo : i32
      %h = arith.minsi %l, %hi : i32
      %t = arith.trunci %h : i32 to i8
      linalg.yield %t : i8
    } -> tensor<4xi8>)"),
                                F32{0.25F, -0.25F, 1.1F, 1000.0F}, 4);
  EXPECT_EQ(q, (I8{4, 2, 5, 127}));
  const auto d = runOne<float>(function("tensor<4xi8>", "tensor<4xf32>", R"(
    %c = tosa.cast %a : (tensor<4xi8>) -> tensor<4xf32>
    %zp = "tosa.const"() <{values = dense<3.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %sc = "tosa.const"() <{values = dense<0.5> : tensor<1xf32>}> : () -> tensor<1xf32>
    %sh = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %s = tosa.sub %c, %zp : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    %r = tosa.mul %s, %sc, %sh : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>)
      -> tensor<4xf32>)"),
                               I8{4, 2, -128, 127}, 4);
  EXPECT_EQ(d, (F32{0.5F, -0.5F, -65.5F, 62.0F}));
}

TEST(Operators, AveragesByACompositesBody) {
  // Sum of each 2x2 window, then the raw sum over 4, half away from zero.
  const auto r = runOne<int8_t>(function("tensor<1x2x4x1xi8>", "tensor<1x1x2x1xi8>", R"(
    %r = tenon.composite "tenon.avg_pool2d"(%a) : (tensor<1x2x4x1xi8>) -> tensor<1x1x2x1xi8> {
    ^bb0(%x: tensor<1x2x4x1xi8>):
      %zero = arith.constant dense<0> : tensor<1x1x2x1xi32>
      %window = tensor.empty() : tensor<2x2xi8>
      %sum = linalg.generic {indexing_maps = [
          affine_map<(n, y, x, c, ky, kx) -> (n, 2 * y + ky, 2 * x + kx, c)>,
          affine_map<(n, y, x, c, ky, kx) -> (ky, kx)>,
          affine_map<(n, y, x, c, ky, kx) -> (n, y, x, c)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction",
                          "reduction"]}
        ins(%x, %window : tensor<1x2x4x1xi8>, tensor<2x2xi8>) outs(%zero : tensor<1x1x2x1xi32>) {
      ^bb0(%v: i8, %w: i8, %s: i32):
        %i = arith.extsi %v : i8 to i32
        %t = arith.addi %s, %i : i32
        linalg.yield %t : i32
      } -> tensor<1x1x2x1xi32>
      %e = tensor.empty() : tensor<1x1x2x1xi8>
      %y = linalg.generic {indexing_maps = [affine_map<(n, y, x, c) -> (n, y, x, c)>,
                                            affine_map<(n, y, x, c) -> (n, y, x, c)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%sum : tensor<1x1x2x1xi32>) outs(%e : tensor<1x1x2x1xi8>) {
      ^bb0(%s: i32, %o: i8):
        %c0 = arith.constant 0 : i32
        %c2 = arith.constant 2 : i32
        %c4 = arith.constant 4 : i32
        %positive = arith.cmpi sgt, %s, %c0 : i32
        %up = arith.addi %s, %c2 : i32
        %down = arith.subi %s, %c2 : i32
        %half = arith.select %positive, %up, %down : i32
        %q = arith.divsi %half, %c4 : i32
        %b = arith.trunci %q : i32 to i8
        linalg.yield %b : i8
      } -> tensor<1x1x2x1xi8>
      tenon.yield %y : tensor<1x1x2x1xi8>
    })"),
                                I8{1, 2, -1, -2, 3, 4, -3, -4}, 2);
  EXPECT_EQ(r, (I8{3, -3})); // 10 / 4 and -10 / 4
}

} // namespace
} // namespace tenon::host
