// SPDX-License-Identifier: Apache-2.0
// The tenon dialect: composite, partition, custom, yield.
#pragma once
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/TenonDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/TenonOps.h.inc"
