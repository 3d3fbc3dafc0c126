// SPDX-License-Identifier: Apache-2.0
// The bodies of the kernels that a lowered module calls.
#pragma once
#include "hostkernels/HostCpu.h"
#include "mlir/IR/BuiltinOps.h"
#include "support/Error.h"

namespace tenon::host {

/// Adds to \p module (LLVM dialect) every kernel of KernelText.h it declares, with what that calls.
Expected<void> defineKernels(mlir::ModuleOp module, const hostkernels::CpuLevel &cpu);

} // namespace tenon::host
