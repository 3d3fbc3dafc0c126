// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-partition \
// RUN:   --target "alpha:abs>add,beta:bitwise_not>sub+bitwise_not+sub" | FileCheck %s

// Alpha's composite needs beta's %1, and beta's needs alpha's %0 for %1 and %2 for nothing but
// itself: as two composites each would wait for the other. Beta's gives way.
// CHECK: func.func @main
// CHECK: @partition_{{.*}} {tenon.target = "beta"}
// CHECK: tenon.composite "beta.bitwise_not"
// CHECK: @partition_{{.*}} {tenon.target = "alpha"}
// CHECK: tenon.composite "alpha.abs_add"
// CHECK: @partition_{{.*}} {tenon.target = "beta"}
// CHECK: tenon.composite "beta.sub"
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.bitwise_not %x : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.add %0, %1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = tosa.sub %1, %0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %2, %3 : tensor<4xi32>, tensor<4xi32>
}
