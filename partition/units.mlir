// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:abs+CONV_2D" --tenon-partition | FileCheck %s
// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:abs" --tenon-partition \
// RUN:   | FileCheck %s --check-prefix=WHOLE

// The IR of one model operator is never cut: alpha claims abs, yet this one is half an operator.
// WHOLE-COUNT-1: call @partition_
// WHOLE-NOT: call
// WHOLE: {tenon.target = "host"}

// A composite that covers it whole names its operators.
// CHECK: {tenon.target = "alpha"}
// CHECK: tenon.composite "alpha.conv_2d"(%{{.*}}) attributes {tenon.quant = {scale = 5.000000e-01 : f64, zero_point = 3 : i64}}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.bitwise_not %x : (tensor<4xi32>) -> tensor<4xi32> loc("conv"("CONV_2D":3:0))
  %1 = tosa.abs %0 {tenon.quant = {scale = 0.5 : f64, zero_point = 3 : i64}}
      : (tensor<4xi32>) -> tensor<4xi32> loc("conv"("CONV_2D":3:0))
  return %1 : tensor<4xi32>
}
