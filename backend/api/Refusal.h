// SPDX-License-Identifier: Apache-2.0
// Why a target does not take an operator.
#pragma once
#include <string>

namespace tenon::backend {

/// A structured "no". Printed as
/// `stays on host: REASON (RULE); REMEDY`.
struct Refusal {
  std::string rule;   ///< stable id, "mortise.conv.stride"
  std::string reason; ///< "stride 5 exceeds 4"
  std::string value;  ///< the actual value, "5"
  std::string limit;  ///< what would be taken, "4"
  std::string remedy; ///< an edit the user can make, "use stride 4 or less"
};

} // namespace tenon::backend
