// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-match-composites \
// RUN:   --tenon-annotate-targets --target "alpha:abs+max=3,beta:alone=abs" | FileCheck %s

// CHECK: tosa.abs
// CHECK-SAME: tenon.refusals = [{limit = "3", reason = "4 elements exceed 3",
// CHECK-SAME: remedy = "use 3 elements or fewer", rule = "alpha.elements", target = "alpha"
// CHECK-SAME: tenon.targets = ["beta", "host"]
// CHECK: tosa.clz
// CHECK-SAME: rule = "alpha.operator", target = "alpha", value = "tosa.clz"
// CHECK-SAME: rule = "beta.operator", target = "beta", value = "tosa.clz"
// CHECK-SAME: tenon.targets = ["host"]
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.clz %0 : (tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
