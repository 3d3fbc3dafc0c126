// SPDX-License-Identifier: Apache-2.0
// The text of --target.
#include <sstream>

#include "compiler/Registry.h"

namespace tenon::compiler {

Expected<std::vector<TargetSpec>> parseTargets(const std::string &text) {
  std::vector<TargetSpec> targets;
  std::istringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t colon = part.find(':');
    TargetSpec target{part.substr(0, colon),
                      colon == std::string::npos ? "" : part.substr(colon + 1)};
    if (target.name.empty())
      return fail("--target {}: a name is empty; write NAME[:CONFIG],NAME[:CONFIG]...", text);
    for (const TargetSpec &other : targets)
      if (other.name == target.name)
        return fail("--target {}: {} is named twice", text, target.name);
    targets.push_back(std::move(target));
  }
  for (const TargetSpec &target : targets)
    if (target.name == kLastResort)
      return targets;
  targets.push_back({kLastResort, ""});
  return targets;
}

} // namespace tenon::compiler
