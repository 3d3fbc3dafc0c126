// SPDX-License-Identifier: Apache-2.0
// A compiled partition on the simulated machine, for tests.
#pragma once
#include "backend/mortise/emit/testing/TestCompile.h"
#include "simulator/Machine.h"

namespace tenon::tests {

/// The limits of \p job's regions beside \p stream, and \p config's SRAM.
simulator::Limits limitsOf(ByteSpan stream, const mortise::Config &config,
                           const mortise::testing::Job &job);

/// Runs a program that was loaded with limitsOf from \p stream, which is region 0: outputs and
/// scratch of \p job change.
void run(const simulator::Program &program, Bytes stream, simulator::Machine &machine,
         mortise::testing::Job &job);

/// Empty, or "HAZARD of MAC, command 3, layer 1, address 64: ..."
std::string wordsOf(const std::optional<simulator::Fault> &fault);

} // namespace tenon::tests
