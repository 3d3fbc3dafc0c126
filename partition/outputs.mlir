// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:add+abs" --tenon-partition | FileCheck %s

// Outputs that repeat, that are inputs, that are constants. An input needs no partition; a
// constant is made by one.
// CHECK: func.func @main(%[[X:.*]]: tensor<4xi32> {tenon.name = "x"})
// CHECK-SAME: tenon.name = "again"
// CHECK-DAG: %[[A:.*]] = call @[[ALPHA:partition_.]](%[[X]]) : (tensor<4xi32>) -> tensor<4xi32>
// CHECK-DAG: %[[C:.*]] = call @[[HOST:partition_.]]() : () -> tensor<4xi32>
// CHECK: return %[[A]], %[[X]], %[[C]], %[[A]], %[[X]]
// CHECK-DAG: @[[HOST]]() -> tensor<4xi32> attributes {tenon.target = "host"}
// CHECK-DAG: @[[ALPHA]](%{{.*}}: tensor<4xi32>) -> tensor<4xi32> attributes {tenon.target = "alpha"}
func.func @main(%x: tensor<4xi32> {tenon.name = "x"})
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32> {tenon.name = "again"}, tensor<4xi32>) {
  %c = "tosa.const"() <{values = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %0 = tosa.add %x, %c : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %x, %c, %0, %x : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
