// RUN: not tenon-opt %s --tenon-partition 2>&1 | FileCheck %s
// RUN: not tenon-opt %s --tenon-partition --target nobody 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tenon-opt %s --tenon-partition --plugin /nowhere.so 2>&1 | FileCheck %s --check-prefix=FILE

// CHECK: error: operator 7 "post" (DETECT): no target takes it; host: no host kernel is called "DETECT" (host.kernel); remove
// NAME: target nobody: no backend has this name; there are: host
// FILE: /nowhere.so: cannot be read
func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
  %0 = tenon.custom "DETECT"(%x) options {} : (tensor<4xf32>) -> tensor<1xf32> loc("post"("DETECT":7:0))
  return %0 : tensor<1xf32>
}
