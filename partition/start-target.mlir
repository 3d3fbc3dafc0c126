// RUN: tenon-opt %s --plugin %toy_alpha --target alpha:abs --tenon-partition | FileCheck %s

// To begin with alpha's %1 would make three partitions; the host first makes two.
// CHECK: func.func @main
// CHECK-COUNT-2: call @partition_
// CHECK-NOT: call
// CHECK: @partition_0({{.*}} {tenon.target = "host"}
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = tosa.bitwise_not %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.abs %0 : (tensor<4xi32>) -> tensor<4xi32>
  return %1, %2 : tensor<4xi32>, tensor<4xi32>
}
