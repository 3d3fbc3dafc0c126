// RUN: tenon-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// An operator's location survives printing: name, type, index.
// CHECK: tosa.bitwise_not %{{.*}} loc("conv_3"("CONV_2D":12:0))
// CHECK: tosa.abs %{{.*}} loc(fused["a"("ADD":1:0), "b"("RELU":2:0)])
func.func @main(%a: tensor<4xi8>) -> tensor<4xi8> {
  %r = tosa.bitwise_not %a : (tensor<4xi8>) -> tensor<4xi8> loc("conv_3"("CONV_2D":12:0))
  %s = tosa.abs %r : (tensor<4xi8>) -> tensor<4xi8> loc(fused["a"("ADD":1:0), "b"("RELU":2:0)])
  return %s : tensor<4xi8>
}
