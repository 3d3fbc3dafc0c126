// SPDX-License-Identifier: Apache-2.0
// The four operators of the tenon dialect.
#ifndef TENON_OPS
#define TENON_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tenon_Dialect : Dialect {
  let name = "tenon";
  let summary = "what a network's graph needs beside TOSA";
  let cppNamespace = "::tenon::ir";
  let dependentDialects = ["mlir::tosa::TosaDialect"];
}

class Tenon_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tenon_Dialect, mnemonic, traits>;

class Tenon_RegionOp<string mnemonic>
    : Tenon_Op<mnemonic, [IsolatedFromAbove, Pure,
                          SingleBlockImplicitTerminator<"YieldOp">]> {
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
}

def Tenon_CompositeOp : Tenon_RegionOp<"composite"> {
  let summary = "operators that belong together, with their exact meaning as body";
  let description = [{
    The body computes, bit for bit, what the composite means; it sees only its
    block arguments, so constants stand inside it. A backend may claim the
    composite by name; whoever does not gets the inlined body. `parameters`
    holds what a claimant needs and the body says only implicitly.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       OptionalAttr<DictionaryAttr>:$parameters);
  let assemblyFormat = [{
    $name `(` $inputs `)` (`parameters` $parameters^)? attr-dict-with-keyword
    `:` functional-type($inputs, $outputs) $body
  }];
}

def Tenon_PartitionOp : Tenon_RegionOp<"partition"> {
  let summary = "a region of the graph that one target owns";
  let description = [{
    Made by merge-regions, turned into a function by outline-partitions. Like a
    composite it sees only its block arguments.
  }];
  let arguments = (ins StrAttr:$target, Variadic<AnyType>:$inputs);
  let assemblyFormat = [{
    $target `(` $inputs `)` attr-dict-with-keyword
    `:` functional-type($inputs, $outputs) $body
  }];
}

def Tenon_CustomOp : Tenon_Op<"custom", [Pure]> {
  let summary = "an operator that only a registered host kernel knows";
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       DictionaryAttr:$options);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $name `(` $inputs `)` `options` $options attr-dict
    `:` functional-type($inputs, $outputs)
  }];
}

def Tenon_YieldOp : Tenon_Op<"yield", [Pure, Terminator,
    ParentOneOf<["CompositeOp", "PartitionOp"]>]> {
  let summary = "ends a body with its results";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let builders = [OpBuilder<(ins), "build($_builder, $_state, mlir::ValueRange{});">];
}

#endif
