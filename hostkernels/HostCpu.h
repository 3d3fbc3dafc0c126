// SPDX-License-Identifier: Apache-2.0
// The CPUs host code can be made for, and whether this machine is one of them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "support/Error.h"

namespace tenon::hostkernels {

/// A baseline: code made for it runs on every CPU that has its features.
struct CpuLevel {
  std::string_view name;     ///< word of `--target host:NAME`, LLVM's -mcpu for it
  std::string_view triple;   ///< LLVM's target triple
  std::string_view features; ///< what the CPU must have, Linux' /proc/cpuinfo words, "avx2,fma"
};

/// The level called \p name; "" is the default of the machine the compiler runs on.
std::optional<CpuLevel> findCpuLevel(std::string_view name);

/// All there are.
std::span<const CpuLevel> cpuLevels();

/// All names, for messages: "x86-64-v2, x86-64-v3".
std::string cpuLevelNames();

/// Can this machine run code made for \p triple and a CPU with \p features (package::HostCode)?
/// Fails with the architecture or the first feature it lacks.
Expected<void> checkThisCpu(std::string_view triple, std::string_view features);

} // namespace tenon::hostkernels
