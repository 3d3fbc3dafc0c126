// SPDX-License-Identifier: Apache-2.0
// What backends did wrong, as a line of warning and as JSON.
#pragma once
#include "partition/Report.h"
#include "tools/tenon/Json.h"

namespace tenon::cli {

/// "target mine: compile threw "no" (libmine.so); its operators run elsewhere"
inline std::string sentenceOf(const partition::BackendFault &fault) {
  return fmt::format("target {}: {} ({}); its operators run elsewhere", fault.target, fault.problem,
                     fault.origin);
}

inline Json faultsJson(const std::vector<partition::BackendFault> &faults) {
  Json rows = Json::array();
  for (const partition::BackendFault &fault : faults)
    rows.push_back(
        {{"target", fault.target}, {"origin", fault.origin}, {"problem", fault.problem}});
  return rows;
}

} // namespace tenon::cli
