// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:abs>add+add+abs" --tenon-partition \
// RUN:   | FileCheck %s

// After a failed compilation the compiler excludes operators: the rest is matched without them,
// and the reason stays with them.
// CHECK: func.func @main
// CHECK-COUNT-2: call @partition_
// CHECK-NOT: call
// CHECK: @partition_0({{.*}} {tenon.target = "host"}
// CHECK: tosa.abs {{.*}}reason = "9 tiles exceed 4", remedy = "r", rule = "alpha.sram", target = "alpha"
// CHECK-NOT: tenon.excluded
// CHECK: @partition_1({{.*}} {tenon.target = "alpha"}
// CHECK: tenon.composite "alpha.add"
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x {tenon.excluded = [{target = "alpha", rule = "alpha.sram", reason = "9 tiles exceed 4", remedy = "r"}]}
      : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.add %0, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
