// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-partition \
// RUN:   --target "alpha:abs,beta:abs>add+add" | FileCheck %s

// Beta's table finds abs>add, but abs is alpha's: beta is matched anew and takes add by itself.
// CHECK: @partition_0({{.*}} {tenon.target = "alpha"}
// CHECK: tenon.composite "alpha.abs"
// CHECK: @partition_1({{.*}} {tenon.target = "beta"}
// CHECK-NOT: beta.abs_add
// CHECK: tenon.composite "beta.add"
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.add %0, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
