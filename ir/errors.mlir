// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @inputs(%a: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{body has 0 inputs, the operator has 1}}
  %r = tenon.composite "toy.f"(%a) : (tensor<4xi8>) -> tensor<4xi8> {
    %c = "tosa.const"() <{values = dense<0> : tensor<4xi8>}> : () -> tensor<4xi8>
    tenon.yield %c : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}

// -----

func.func @input_type(%a: tensor<4xi8>) -> tensor<4xi32> {
  // expected-error @+1 {{body's inputs 0 is 'tensor<4xi32>', the operator's is 'tensor<4xi8>'}}
  %r = tenon.composite "toy.f"(%a) : (tensor<4xi8>) -> tensor<4xi32> {
  ^bb0(%x: tensor<4xi32>):
    tenon.yield %x : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// -----

func.func @outputs(%a: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{body has 2 outputs, the operator has 1}}
  %r = tenon.partition "toy"(%a) : (tensor<4xi8>) -> tensor<4xi8> {
  ^bb0(%x: tensor<4xi8>):
    tenon.yield %x, %x : tensor<4xi8>, tensor<4xi8>
  }
  return %r : tensor<4xi8>
}

// -----

func.func @no_yield(%a: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{body has 0 outputs, the operator has 1}}
  %r = tenon.composite "toy.f"(%a) : (tensor<4xi8>) -> tensor<4xi8> {
  ^bb0(%x: tensor<4xi8>):
  }
  return %r : tensor<4xi8>
}

// -----

func.func @sees_outside(%a: tensor<4xi8>) -> tensor<4xi8> {
  // expected-note @+1 {{required by region isolation constraints}}
  %r = tenon.composite "toy.f"() : () -> tensor<4xi8> {
    // expected-error @+1 {{using value defined outside the region}}
    tenon.yield %a : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}

// -----

func.func @stray_yield() {
  // expected-error @+1 {{expects parent op to be one of 'tenon.composite, tenon.partition'}}
  tenon.yield
}
