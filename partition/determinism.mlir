// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-partition \
// RUN:   --target "alpha:abs>add+abs,beta:add+clz" > %t.1
// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-partition \
// RUN:   --target "alpha:abs>add+abs,beta:add+clz" > %t.2
// RUN: cmp %t.1 %t.2

func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = tosa.abs %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.clz %y : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.add %0, %1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = tosa.bitwise_not %y : (tensor<4xi32>) -> tensor<4xi32>
  %4 = tosa.abs %3 : (tensor<4xi32>) -> tensor<4xi32>
  %5 = tosa.add %4, %2 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %6 = tosa.add %2, %5 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %6, %5 : tensor<4xi32>, tensor<4xi32>
}
