// SPDX-License-Identifier: Apache-2.0
// The program's commands: a file a command, a row a command in CommandLine.cpp.
#pragma once
#include <memory>

#include "support/Error.h"

namespace CLI {
class App;
}

namespace tenon::cli {

/// What the program returns to its caller.
enum ExitCode { kDone = 0, kFailed = 1, kUsage = 2 };

class Command {
public:
  virtual ~Command() = default;
  /// Adds options and positionals; they write into this object.
  virtual void declare(CLI::App &app) = 0;
  /// Does the work; an Error is printed by the caller as one line and means kFailed.
  virtual Expected<ExitCode> run() = 0;
};

std::unique_ptr<Command> makeCompareCommand();
std::unique_ptr<Command> makeCompileCommand();
std::unique_ptr<Command> makeConformCommand();
std::unique_ptr<Command> makeDevicesCommand();
std::unique_ptr<Command> makeEstimateCommand();
std::unique_ptr<Command> makeExplainCommand();
std::unique_ptr<Command> makeInspectCommand();
std::unique_ptr<Command> makeNewNpuCommand();
std::unique_ptr<Command> makeRunCommand();

} // namespace tenon::cli
