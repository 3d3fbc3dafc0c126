// RUN: tenon-opt %s --plugin %toy_alpha --tenon-partition --target "alpha:abs+launch=1000000" \
// RUN:   | FileCheck %s --check-prefix=DEAR
// RUN: tenon-opt %s --plugin %toy_alpha --tenon-partition --target "alpha:abs" \
// RUN:   | FileCheck %s --check-prefix=CHEAP
// RUN: tenon-opt %s --plugin %toy_alpha --tenon-partition --target "alpha:abs+kilobyte=100000000" \
// RUN:   | FileCheck %s --check-prefix=DEAR
// RUN: tenon-opt %s --plugin %toy_alpha --tenon-partition --target "alpha:abs+cost=100000000" \
// RUN:   | FileCheck %s --check-prefix=DEAR
// RUN: tenon-opt %s --plugin %toy_alpha --plugin %toy_beta --tenon-partition \
// RUN:   --target "alpha:abs+launch=1000000,beta:abs+cost=1" | FileCheck %s --check-prefix=NEXT

// A region that costs more than it saves returns to the next target, with that reason, and joins
// its neighbours there.
// CHEAP-COUNT-3: call @partition_

// DEAR-COUNT-1: call @partition_
// DEAR-NOT: call
// DEAR: {tenon.target = "host"}
// DEAR: tosa.abs {{.*}}reason = "a region of 1 operators takes {{.*}} us with launch and transfers, {{.*}} us on host"
// DEAR-SAME: rule = "alpha.region.cost", target = "alpha", value = "{{.*}} us"

// NEXT-COUNT-3: call @partition_
// NEXT: {tenon.target = "beta"}
// NEXT: tosa.abs {{.*}}rule = "alpha.region.cost"
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.bitwise_not %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.abs %0 : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.clz %1 : (tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
