// SPDX-License-Identifier: Apache-2.0
// The host's own passes, in the order the pipeline runs them, and the pipeline.
#pragma once
#include <memory>

#include "mlir/Pass/Pass.h"

namespace tenon::host {

/// Attribute of a function after plan-arena: bytes its arena needs (i64).
inline constexpr llvm::StringLiteral kArenaBytesAttr = "tenon.arena_bytes";

/// Name of the `tenon.custom` between fuse-kernels and call-kernels.
inline constexpr llvm::StringLiteral kKernelOperator = "host.kernel";
/// Pointers a kernel takes: input, output, weights, parameters, scratch, geometry.
inline constexpr unsigned kKernelArguments = 6;

/// Replaces every `tenon.composite` by its body. Function pass, on tensors.
std::unique_ptr<mlir::Pass> createInlineCompositesPass();

/// Makes i8 convolutions with their rescale and clamp one `tenon.custom "host.kernel"` each,
/// weights packed. What no kernel computes stays as it is. Function pass, on TOSA.
std::unique_ptr<mlir::Pass> createFuseKernelsPass();

/// Makes every "host.kernel" a call of its kernel. Module pass, right before bufferisation: from
/// here to the call, nothing may move reads of the input.
std::unique_ptr<mlir::Pass> createCallKernelsPass();

/// Makes every tosa.transpose_conv2d a convolution over a padded input. Function pass.
std::unique_ptr<mlir::Pass> createDecomposeTransposeConvPass();

/// Turns memref results into trailing arguments that the function fills; an allocation that is
/// returned becomes the argument itself, anything else is copied. Function pass, on memrefs.
std::unique_ptr<mlir::Pass> createOutParametersPass();

/// Replaces every memref.alloc by a view of one `memref<Nxi8>`, a new last argument, such that
/// allocations that live at the same time do not overlap; records kArenaBytesAttr. Function
/// pass; fails on an allocation whose size or life is not known here.
std::unique_ptr<mlir::Pass> createPlanArenaPass();

/// Turns strided memref.copy into loops, so that no run-time library is called. Function pass.
std::unique_ptr<mlir::Pass> createExpandCopiesPass();

/// Tensors (TOSA, composites, linalg) to the LLVM dialect: functions take bare pointers to their
/// inputs, outputs and, last, the arena.
void buildHostPipeline(mlir::OpPassManager &manager);

/// The last part of it: loops and memrefs to the LLVM dialect.
void buildLlvmPipeline(mlir::OpPassManager &manager);

} // namespace tenon::host
