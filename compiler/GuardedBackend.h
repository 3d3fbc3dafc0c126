// SPDX-License-Identifier: Apache-2.0
// Stands between the compiler and a backend: no fault of a backend gets past it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "backend/api/Backend.h"
#include "compiler/Compiler.h"
#include "compiler/Foreign.h"
#include "partition/Report.h"

namespace tenon::compiler {

/// One backend and where it came from ("built in" or the library's path).
struct BackendEntry {
  const backend::BackendPlugin *plugin;
  std::string origin;
};

/// The first fault of each target.
class FaultLog {
public:
  void add(partition::BackendFault fault);
  const std::vector<partition::BackendFault> &faults() const { return all; }

private:
  std::vector<partition::BackendFault> all;
};

/// Makes \p entry's backend for \p target's configuration. Fails if it refuses that. Once it
/// throws, crashes (seen only if \p mayCrash) or returns what the interface rules out, the fault is
/// noted in \p faults and from then on it matches nothing, takes nothing alone and gives back all
/// it is to compile, with the rule "NAME.fault": a partitioning anew then does without it.
Expected<std::unique_ptr<backend::Backend>> createGuarded(const BackendEntry &entry, bool mayCrash,
                                                          mlir::MLIRContext &context,
                                                          const TargetSpec &target,
                                                          FaultLog &faults);

} // namespace tenon::compiler
