// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt %s --mlir-print-op-generic | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @composite
// CHECK: %[[R:.*]] = tenon.composite "toy.negate"(%arg0) parameters {origin = "uint8"} attributes {note = 1 : i64} : (tensor<4xi8>) -> tensor<4xi8> {
// CHECK: ^bb0(%[[A:.*]]: tensor<4xi8>):
// CHECK: %[[N:.*]] = tosa.bitwise_not %[[A]]
// CHECK: tenon.yield %[[N]] : tensor<4xi8>
// CHECK: return %[[R]]
func.func @composite(%a: tensor<4xi8>) -> tensor<4xi8> {
  %r = tenon.composite "toy.negate"(%a) parameters {origin = "uint8"} attributes {note = 1 : i64}
      : (tensor<4xi8>) -> tensor<4xi8> {
  ^bb0(%x: tensor<4xi8>):
    %n = tosa.bitwise_not %x : (tensor<4xi8>) -> tensor<4xi8>
    tenon.yield %n : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}

// CHECK-LABEL: func.func @partition
// CHECK: %[[P:.*]]:2 = tenon.partition "toy"(%arg0, %arg1) : (tensor<2xi8>, tensor<3xi8>) -> (tensor<3xi8>, tensor<2xi8>) {
// CHECK: return %[[P]]#0, %[[P]]#1
func.func @partition(%a: tensor<2xi8>, %b: tensor<3xi8>) -> (tensor<3xi8>, tensor<2xi8>) {
  %p:2 = tenon.partition "toy"(%a, %b)
      : (tensor<2xi8>, tensor<3xi8>) -> (tensor<3xi8>, tensor<2xi8>) {
  ^bb0(%x: tensor<2xi8>, %y: tensor<3xi8>):
    tenon.yield %y, %x : tensor<3xi8>, tensor<2xi8>
  }
  return %p#0, %p#1 : tensor<3xi8>, tensor<2xi8>
}

// CHECK-LABEL: func.func @custom
// CHECK: tenon.custom "DETECT"(%arg0) options {classes = 3 : i64} : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
func.func @custom(%a: tensor<2xf32>) -> tensor<1xf32> {
  %r:2 = tenon.custom "DETECT"(%a) options {classes = 3 : i64}
      : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %r#1 : tensor<1xf32>
}

// A body without results needs no yield written.
// CHECK-LABEL: func.func @empty
// CHECK: tenon.partition "toy"() : () -> () {
func.func @empty() {
  tenon.partition "toy"() : () -> () {
  }
  return
}
