// SPDX-License-Identifier: Apache-2.0
// Running a package once, on the runtime's C API as any program would.
#pragma once
#include "runtime/api/tenon.h"
#include "tools/tenon/Array.h"

namespace tenon::cli {

/// What one partition cost.
struct StepCost {
  std::string target;
  double milliseconds = 0; ///< wall clock
  uint64_t cycles = 0, macs = 0, dramBytes = 0;
};

struct ExecutionResult {
  std::vector<Array> outputs; ///< in the package's order
  std::vector<StepCost> steps;
  double milliseconds = 0; ///< wall clock of the run alone
};

/// Runs the package in \p bytes on \p devices (URIs; empty for the defaults) with \p inputs in the
/// package's order, of its types and shapes. Fails with the runtime's reason.
Expected<ExecutionResult> execute(ByteSpan bytes, const std::vector<Array> &inputs,
                                  const std::vector<std::string> &devices);

} // namespace tenon::cli
