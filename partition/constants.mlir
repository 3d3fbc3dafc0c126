// RUN: tenon-opt %s --tenon-partition | FileCheck %s

// Equal constants become one in a function, however often the graph holds or uses them.
// CHECK: @partition_0
// CHECK: "tosa.const"() <{values = dense<7> : tensor<4xi32>}>
// CHECK: "tosa.const"() <{values = dense<8> : tensor<4xi32>}>
// CHECK-NOT: tosa.const
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = "tosa.const"() <{values = dense<7> : tensor<4xi32>}> : () -> tensor<4xi32>
  %d = "tosa.const"() <{values = dense<7> : tensor<4xi32>}> : () -> tensor<4xi32>
  %e = "tosa.const"() <{values = dense<8> : tensor<4xi32>}> : () -> tensor<4xi32>
  %0 = tosa.add %x, %c : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.add %0, %d : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.add %1, %e : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
