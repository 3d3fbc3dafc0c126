// SPDX-License-Identifier: Apache-2.0
// The whole program as a function.
#pragma once

namespace tenon::cli {

/// Parses and runs one command line; prints; returns the exit code.
int runCommandLine(int argc, const char *const *argv);

} // namespace tenon::cli
