// RUN: tenon-opt %s --plugin %toy_alpha --target alpha:abs+add --tenon-partition | FileCheck %s

// The way through the host has several operators: only transitive dependencies show the circle.
// CHECK: func.func @main
// CHECK-COUNT-3: call @partition_
// CHECK-NOT: call
// CHECK: @partition_1({{.*}} {tenon.target = "host"}
// CHECK: tosa.bitwise_not
// CHECK: tosa.clz
// CHECK: tosa.negate
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.bitwise_not %0 : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.clz %1 : (tensor<4xi32>) -> tensor<4xi32>
  %3 = tosa.negate %2, %z, %z : (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %4 = tosa.abs %0 : (tensor<4xi32>) -> tensor<4xi32>
  %5 = tosa.add %4, %3 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %5 : tensor<4xi32>
}
