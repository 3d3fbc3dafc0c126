// RUN: tenon-opt %s --plugin %toy_alpha --target alpha:abs --tenon-partition | FileCheck %s

// Branches that do not touch each other run in one visit to their target, and one on the host.
// CHECK: func.func @main
// CHECK-NEXT: %[[A:.*]]:3 = call @partition_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: %[[H:.*]]:2 = call @partition_1(%[[A]]#0, %[[A]]#1)
// CHECK-NEXT: return %[[H]]#0, %[[H]]#1, %[[A]]#2
// CHECK: @partition_0({{.*}} {tenon.target = "alpha"}
// CHECK-COUNT-3: tenon.composite "alpha.abs"
// CHECK: @partition_1({{.*}} {tenon.target = "host"}
// CHECK-COUNT-2: tosa.bitwise_not
func.func @main(%x: tensor<4xi32>, %y: tensor<5xi32>, %z: tensor<6xi32>)
    -> (tensor<4xi32>, tensor<5xi32>, tensor<6xi32>) {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.bitwise_not %0 : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.abs %y : (tensor<5xi32>) -> tensor<5xi32>
  %3 = tosa.bitwise_not %2 : (tensor<5xi32>) -> tensor<5xi32>
  %4 = tosa.abs %z : (tensor<6xi32>) -> tensor<6xi32>
  return %1, %3, %4 : tensor<4xi32>, tensor<5xi32>, tensor<6xi32>
}
