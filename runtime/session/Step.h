// SPDX-License-Identifier: Apache-2.0
// One step of a session's schedule.
#pragma once
#include "runtime/session/Bindings.h"

namespace tenon::runtime {

/// What a step did; fields as in tenon_step_profile.
struct StepCounters {
  uint64_t cycles = 0, macs = 0, dramBytes = 0;
};

/// Carries out one partition; belongs to one session, which calls it from one thread at a time.
class Step {
public:
  virtual ~Step() = default;
  virtual Result<StepCounters> run(const Bindings &bindings) = 0;
};

} // namespace tenon::runtime
