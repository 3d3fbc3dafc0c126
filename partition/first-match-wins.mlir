// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:abs>add+add+abs" --tenon-match-composites \
// RUN:   | FileCheck %s --check-prefixes=CHECK,LONG
// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:add+abs>add+abs" --tenon-match-composites \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SHORT

// The table's order decides, not the graph's.
// CHECK: tosa.abs
// LONG-SAME: match = [[M:.*]] : i64, pattern = "alpha.abs_add", target = "alpha"
// SHORT-SAME: pattern = "alpha.abs", root
// CHECK: tosa.add
// LONG-SAME: match = [[M]] : i64, pattern = "alpha.abs_add", root
// SHORT-SAME: pattern = "alpha.add", root
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.add %0, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
