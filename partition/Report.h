// SPDX-License-Identifier: Apache-2.0
// Where each operator of the model runs, and why: what `tenon explain` prints.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/api/Refusal.h"

namespace tenon::partition {

/// A "no" of one target to one operator.
struct TargetRefusal {
  std::string target;
  backend::Refusal refusal;
};

/// What a target's backend did wrong, and where it came from ("built in" or a library's path). Its
/// operators run elsewhere, with the rule "TARGET.fault".
struct BackendFault {
  std::string target, origin, problem; ///< problem: "compile threw "no""
};

struct OperatorReport {
  int64_t index = 0;
  std::string name, type;
  std::string target;          ///< where it runs
  std::string composite;       ///< what it became part of there, "mortise.conv2d"; may be empty
  std::string shape;           ///< of its result, "1x24x24x64xi8"; of the last, if it has several
  std::vector<int64_t> inputs; ///< operators whose results it uses, ascending
  uint64_t macs = 0;
  /// Why each target preferred to `target` does not run it; empty if it got its first choice.
  std::vector<TargetRefusal> refusals;
};

struct PartitionReport {
  std::string target;
  std::vector<int64_t> operators; ///< model operator indices, ascending
};

struct Report {
  std::vector<OperatorReport> operators;   ///< by index, each model operator once
  std::vector<PartitionReport> partitions; ///< in execution order, host ones included
  std::vector<BackendFault> faults;        ///< the first of each target that made one
};

} // namespace tenon::partition
