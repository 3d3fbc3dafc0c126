// SPDX-License-Identifier: Apache-2.0
// The host's own integer kernels, as MLIR text: one function a kind, sizes at run time.
#pragma once
#include <string>

#include "hostkernels/HostCpu.h"

namespace tenon::host {

/// Names of the kernels. All take pointers to input, output, weights, parameters, scratch and
/// geometry; ConvolutionLayout.h says what the last three and the weights hold.
inline constexpr const char *kConvKernel = "tenon_conv_i8";

/// The depthwise kernel that handles \p lanes channels at a time (1, 4, 8 or 16).
std::string depthwiseKernelName(int lanes);

/// A module with every kernel, in scf, arith, vector and llvm; \p cpu picks the multiply-add.
std::string kernelModuleText(const hostkernels::CpuLevel &cpu);

} // namespace tenon::host
