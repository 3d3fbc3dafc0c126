// SPDX-License-Identifier: Apache-2.0
// tenon: compile, run, explain, estimate, inspect, compare, devices, new-npu.
#include <exception>

#include "tools/tenon/CommandLine.h"
#include "tools/tenon/Console.h"
#include "tools/tenon/Interrupt.h"

int main(int argc, char **argv) {
  tenon::cli::installInterruptHandler();
  try {
    return tenon::cli::runCommandLine(argc, argv);
  } catch (const std::exception &error) { // no memory, no thread: nothing below throws by itself
    tenon::cli::printError(error.what());
    return 1;
  }
}
