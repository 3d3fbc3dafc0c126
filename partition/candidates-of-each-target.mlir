// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-match-composites \
// RUN:   --target "alpha:abs+max=3,beta:abs>add" | FileCheck %s

// One target's match hides nothing from another, and a refusal is kept with its pattern.
// CHECK: tosa.abs
// CHECK-SAME: tenon.candidates = [
// CHECK-SAME: {pattern = "alpha.abs", refusal = {limit = "3", reason = "4 elements exceed 3",
// CHECK-SAME: rule = "alpha.elements", value = "4"}, target = "alpha"}
// CHECK-SAME: {match = 0 : i64, pattern = "beta.abs_add", target = "beta"}]
// CHECK-SAME: tenon.unit = 0 : i64
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.add %0, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
