// RUN: tenon-opt %s --plugin %toy_alpha --target alpha:abs+add --tenon-partition | FileCheck %s

// Merging neighbours one by one would join %0 and %2, which depend on each other through the
// host's %1: a circle of two partitions. Three, in this order, are right.
// CHECK: func.func @main(%[[X:.*]]: tensor<4xi32>)
// CHECK: %[[A:.*]] = call @partition_0(%[[X]])
// CHECK: %[[B:.*]] = call @partition_1(%[[A]])
// CHECK: %[[C:.*]] = call @partition_2(%[[A]], %[[B]])
// CHECK: return %[[C]]
// CHECK: @partition_0({{.*}} {tenon.target = "alpha"}
// CHECK: @partition_1({{.*}} {tenon.target = "host"}
// CHECK: @partition_2({{.*}} {tenon.target = "alpha"}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.bitwise_not %0 : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.add %0, %1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
