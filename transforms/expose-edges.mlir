// RUN: tenon-opt %s --plugin %toy_alpha --target "alpha:abs>add" --tenon-match-composites \
// RUN:   --tenon-annotate-targets --tenon-merge-regions --tenon-expose-edges --tenon-outline-partitions \
// RUN:   | FileCheck %s

// "x" is inside a composite, "y" leaves it; "u" is made of two operators, of which only the second
// is a tensor of the model; "out" is returned already, before a cast that is none of the model's.
// CHECK: func.func @main(%arg0: tensor<4xi32>) -> (
// CHECK-SAME: tensor<4xi32> {tenon.name = "out"},
// CHECK-SAME: tensor<4xi32> {tenon.element = "int32", tenon.name = "y", tenon.scale = 2.500000e-01 : f64, tenon.zero_point = 3 : i64},
// CHECK-SAME: tensor<4xi32> {tenon.element = "int32", tenon.name = "u"})
// CHECK: %[[A:.*]] = call @partition_0(%arg0)
// CHECK: %[[H:.*]]:2 = call @partition_1(%[[A]])
// CHECK: return %[[H]]#{{[01]}}, %[[A]], %[[H]]#{{[01]}}
func.func @main(%a: tensor<4xi32>) -> (tensor<4xi32> {tenon.name = "out"}) {
  %x = tosa.abs %a : (tensor<4xi32>) -> tensor<4xi32> loc("x"("ABS":0:0))
  %y = tosa.add %x, %a {tenon.quant = {scale = 0.25 : f64, zero_point = 3 : i64}}
      : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc("y"("ADD":1:0))
  %t = tosa.clz %y : (tensor<4xi32>) -> tensor<4xi32> loc("u"("U":2:0))
  %u = tosa.bitwise_not %t : (tensor<4xi32>) -> tensor<4xi32> loc("u"("U":2:0))
  %v = tosa.clz %u : (tensor<4xi32>) -> tensor<4xi32> loc("out"("V":3:0))
  %c = tosa.bitwise_not %v : (tensor<4xi32>) -> tensor<4xi32> loc(unknown)
  return %c : tensor<4xi32>
}
