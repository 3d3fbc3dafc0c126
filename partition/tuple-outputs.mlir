// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:abs>add" --tenon-partition | FileCheck %s

// What is used outside a match leaves it, after the root's results; so with partitions.
// CHECK: func.func @main
// CHECK: %[[A:.*]]:2 = call @partition_0(%arg0)
// CHECK: %[[H:.*]]:2 = call @partition_1(%[[A]]#0, %[[A]]#1)
// CHECK: return %[[H]]#0, %[[A]]#{{[01]}}, %[[H]]#1
// CHECK: @partition_0
// CHECK: %[[C:.*]]:2 = tenon.composite "alpha.abs_add"(%arg0) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
// CHECK: %[[ABS:.*]] = tosa.abs
// CHECK: %[[ADD:.*]] = tosa.add
// CHECK: tenon.yield %[[ADD]], %[[ABS]]
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.add %0, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2:2 = tenon.composite "two"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%a: tensor<4xi32>, %b: tensor<4xi32>):
    %n = tosa.bitwise_not %a : (tensor<4xi32>) -> tensor<4xi32>
    %m = tosa.bitwise_not %b : (tensor<4xi32>) -> tensor<4xi32>
    tenon.yield %n, %m : tensor<4xi32>, tensor<4xi32>
  }
  return %2#0, %1, %2#1 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
