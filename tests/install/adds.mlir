// Two additions around something that only the host does.
func.func @main(%x: tensor<1x4xi32> {tenon.name = "x", tenon.element = "int32"}) -> (tensor<1x4xi32> {tenon.name = "y"}) {
  %0 = tosa.add %x, %x : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("a"("ADD":0:0))
  %1 = tosa.clz %0 : (tensor<1x4xi32>) -> tensor<1x4xi32> loc("b"("CLZ":1:0))
  %2 = tosa.add %1, %0 : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("y"("ADD":2:0))
  return %2 : tensor<1x4xi32>
}
