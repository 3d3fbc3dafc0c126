// SPDX-License-Identifier: Apache-2.0
// The functions of a package's host code that the runtime calls.
#pragma once
#include "backend/host/ObjectCode.h"

namespace llvm {
class Module;
}

namespace tenon::host {

/// Adds to \p module the C function of each entry, exported, and makes all else internal. It
/// takes the arena from malloc, gives it back, and returns 1 if there is none, else 0.
void addEntryPoints(llvm::Module &module, const std::vector<EntryPoint> &entries);

} // namespace tenon::host
