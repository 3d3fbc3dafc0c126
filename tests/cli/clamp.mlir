// A network of one operator, for tests that need no model format: y = clamp(x, -5, 5).
module attributes {tenon.model = "clamp.mlir"} {
  func.func @main(
      %x: tensor<1x8xi8> {tenon.name = "x", tenon.element = "int8", tenon.scale = 0.5 : f64, tenon.zero_point = 0 : i64})
      -> (tensor<1x8xi8> {tenon.name = "y", tenon.element = "int8", tenon.scale = 0.5 : f64, tenon.zero_point = 0 : i64}) {
    %y = tosa.clamp %x {min_val = -5 : i8, max_val = 5 : i8} : (tensor<1x8xi8>) -> tensor<1x8xi8> loc("y"("RELU_N1_TO_1":0:0))
    return %y : tensor<1x8xi8>
  }
}
