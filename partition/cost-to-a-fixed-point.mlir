// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-partition \
// RUN:   --target "alpha:abs+launch=1000000,beta:abs+add+launch=20" | FileCheck %s

// Alone beta's additions would not be worth a launch. With the abs that alpha gives back between
// them they are: preferred targets are judged first.
// CHECK: func.func @main
// CHECK-NEXT: call @partition_0
// CHECK-NEXT: return
// CHECK: {tenon.target = "beta"}
// CHECK: "beta.add"
// CHECK: "beta.abs"
// CHECK: "beta.add"
func.func @main(%x: tensor<1xi32>) -> tensor<1xi32> {
  %0 = tosa.add %x, %x : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %1 = tosa.abs %0 : (tensor<1xi32>) -> tensor<1xi32>
  %2 = tosa.add %1, %1 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %2 : tensor<1xi32>
}
