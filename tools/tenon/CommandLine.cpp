// SPDX-License-Identifier: Apache-2.0
// Declares the commands, parses, runs one, and turns failures into one line and an exit code.
#include "tools/tenon/CommandLine.h"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>

#include "tools/tenon/Commands.h"
#include "tools/tenon/Console.h"

namespace tenon::cli {
namespace {

struct CommandRow {
  const char *name, *summary, *examples;
  std::unique_ptr<Command> (*make)();
};

constexpr CommandRow kCommands[] = {
    {"compile", "Compile a model into a package",
     "  tenon compile model.tflite                        writes model.tenon\n"
     "  tenon compile model.tflite --target host -o m.tenon",
     makeCompileCommand},
    {"run", "Run a model or a package and show its outputs",
     "  tenon run model.tflite --input cat.jpg --labels labels.txt\n"
     "  tenon run model.tenon --input x.npy --output-dir out --json",
     makeRunCommand},
    {"explain", "Tell where each operator runs, and why",
     "  tenon explain model.tflite\n"
     "  tenon explain model.tflite --target mortise:tiny --json\n"
     "  tenon explain model.tflite --html page.html       for any browser",
     makeExplainCommand},
    {"estimate", "Estimate the time on the device, layer by layer, without running",
     "  tenon estimate model.tflite --target mortise:small\n"
     "  tenon estimate model.tenon --json",
     makeEstimateCommand},
    {"inspect", "Show what a package holds",
     "  tenon inspect model.tenon\n"
     "  tenon inspect model.tenon --disassemble",
     makeInspectCommand},
    {"compare", "Run layer by layer on two targets and name the first operator whose bits differ",
     "  tenon compare model.tflite --against host\n"
     "  tenon compare model.tflite --input x.npy --against reference/",
     makeCompareCommand},
    {"conform", "Try a backend at every edge of what it claims, and print a score sheet",
     "  tenon conform --plugin build/acme_backend.so --device-library build/acme_device.so\n"
     "  tenon conform --plugin libmine.so --target mine:big --cases 100 --seed 7 --json",
     makeConformCommand},
    {"devices", "List targets to compile for and devices to run on",
     "  tenon devices\n"
     "  tenon devices --plugin libmine.so --json",
     makeDevicesCommand},
    {"new-npu",
     "Write a project for an NPU of your own, which builds and passes its tests as it is",
     "  tenon new-npu acme                                writes the folder acme\n"
     "  tenon new-npu acme --output ~/acme-npu --json",
     makeNewNpuCommand},
};

constexpr const char *kExitCodes =
    "Exit code: 0 done, 1 refused or failed (one line says what and where), 2 wrong usage.";

/// The deepest command that was named, for the remedy of a usage error.
std::string nameOfParsed(const CLI::App &app) {
  for (const CLI::App *sub : app.get_subcommands())
    return "tenon " + sub->get_name();
  return "tenon";
}

int usageError(const CLI::App &app, const CLI::ParseError &error) {
  if (error.get_exit_code() == 0)
    return app.exit(error); // --help, --version
  std::string reason = error.what();
  if (reason.size() > 1 && std::islower(uint8_t(reason[1]))) // a word, no option's name
    reason[0] = char(std::tolower(uint8_t(reason[0])));
  printError(fmt::format("{}; see {} --help", reason, nameOfParsed(app)));
  return kUsage;
}

/// Is the first word no command and no option?
bool isUnknownCommand(int argc, const char *const *argv) {
  return argc > 1 && argv[1][0] != '-' &&
         std::none_of(std::begin(kCommands), std::end(kCommands),
                      [&](const CommandRow &row) { return std::string(argv[1]) == row.name; });
}

int runParsed(Command &command) {
  auto code = command.run();
  if (code)
    return *code;
  printError(code.error().message);
  return kFailed;
}

} // namespace

int runCommandLine(int argc, const char *const *argv) {
  CLI::App app("Tenon joins a host CPU and an NPU: it compiles quantised networks and runs them.",
               "tenon");
  app.set_version_flag("--version", "tenon " TENON_VERSION);
  app.require_subcommand(1);
  app.footer(kExitCodes);
  std::vector<std::unique_ptr<Command>> commands;
  for (const CommandRow &row : kCommands) {
    CLI::App *sub = app.add_subcommand(row.name, row.summary);
    sub->footer(fmt::format("Examples:\n{}\n\n{}", row.examples, kExitCodes));
    commands.push_back(row.make());
    commands.back()->declare(*sub);
  }
  if (isUnknownCommand(argc, argv)) {
    printError(fmt::format("\"{}\" is no command; see tenon --help", argv[1]));
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return usageError(app, error);
  }
  for (size_t i = 0; i < commands.size(); ++i)
    if (app.got_subcommand(kCommands[i].name))
      return runParsed(*commands[i]);
  return kUsage;
}

} // namespace tenon::cli
