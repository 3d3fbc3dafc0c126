// SPDX-License-Identifier: Apache-2.0
// How a side was built: what compiler and plug-in must agree on beside the interface's version.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "mlir/IR/Operation.h"
#include "package/Package.h"
#include "llvm/Config/abi-breaking.h"
#include "llvm/Config/llvm-config.h"

namespace tenon::backend {

/// Plain numbers, so that they can be read whatever the other side was built with.
struct BuildAbi {
  uint32_t llvmMajor = 0, llvmMinor = 0;
  uint32_t llvmChecks = 0;  ///< LLVM_ENABLE_ABI_BREAKING_CHECKS
  uint32_t stringBytes = 0; ///< of std::string: tells C++ libraries and their debug modes apart
  uint64_t layout = 0;      ///< sizes of the types that cross, folded
};

/// Folds sizes into one number (FNV-1a).
template <typename... Types> constexpr uint64_t foldSizes() {
  uint64_t hash = 0xcbf29ce484222325;
  ((hash = (hash ^ sizeof(Types)) * 0x100000001b3), ...);
  return hash;
}

/// Of the side that includes this.
inline constexpr BuildAbi kBuildAbi = {
    LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR, LLVM_ENABLE_ABI_BREAKING_CHECKS, sizeof(std::string),
    foldSizes<std::string, std::vector<int>, package::Partition, package::HostCode,
              package::DebugEntry, package::CostEntry, mlir::Operation>()};

} // namespace tenon::backend
