// RUN: tenon-opt %s --plugin %toy_alpha --target alpha:abs+add+bitwise_not --tenon-partition | FileCheck %s

// A diamond that one target takes whole is one partition; its value used twice enters once.
// CHECK: func.func @main(%[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: %[[R:.*]] = call @partition_0(%[[X]]) : (tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: return %[[R]]
// CHECK: @partition_0(%[[A:.*]]: tensor<4xi32>) -> tensor<4xi32> attributes {tenon.target = "alpha"}
// CHECK: %[[L:.*]] = tenon.composite "alpha.abs"(%[[A]])
// CHECK: %[[N:.*]] = tenon.composite "alpha.bitwise_not"(%[[A]])
// CHECK: %[[S:.*]] = tenon.composite "alpha.add"(%[[L]], %[[N]])
// CHECK: return %[[S]]
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.bitwise_not %x : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.add %0, %1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
