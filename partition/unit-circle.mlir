// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:clz" --tenon-partition | FileCheck %s

// Operator 1's IR stands on both sides of operator 2's: together they are one unit.
// CHECK: func.func @main
// CHECK-COUNT-1: call @partition_
// CHECK-NOT: call
// CHECK: {tenon.target = "host"}
// CHECK: tosa.abs
// CHECK: tosa.clz
// CHECK: tosa.bitwise_not
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32> loc("a"("A":1:0))
  %1 = tosa.clz %0 : (tensor<4xi32>) -> tensor<4xi32> loc("b"("B":2:0))
  %2 = tosa.bitwise_not %1 : (tensor<4xi32>) -> tensor<4xi32> loc("a"("A":1:0))
  return %2 : tensor<4xi32>
}
