// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-partition \
// RUN:   --target alpha:abs,beta:abs+add | FileCheck %s

// Each unit goes to the first target that takes it: beta's abs is alpha's.
// CHECK: func.func @main
// CHECK-COUNT-3: call @partition_
// CHECK-NOT: call
// CHECK: @partition_0({{.*}} {tenon.target = "alpha"}
// CHECK: tenon.composite "alpha.abs"
// CHECK: @partition_1({{.*}} {tenon.target = "beta"}
// CHECK: tenon.composite "beta.add"
// CHECK: @partition_2({{.*}} {tenon.target = "host"}
// CHECK: tosa.bitwise_not
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.add %0, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.bitwise_not %1 : (tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
