// SPDX-License-Identifier: Apache-2.0
// Functions that the host owns to one image of host code.
#pragma once
#include "backend/api/Backend.h"
#include "hostkernels/HostCpu.h"

namespace tenon::host {

/// Backend::compile of the host: one HostCode with an entry a function. What MLIR or LLVM
/// reports becomes the reason of a failure that names the function.
backend::CompileResult compileFunctions(llvm::ArrayRef<backend::PartitionFunction> functions,
                                        const hostkernels::CpuLevel &cpu);

} // namespace tenon::host
