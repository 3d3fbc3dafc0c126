// SPDX-License-Identifier: Apache-2.0
// tenon compile: model in, package out.
#include <filesystem>

#include <CLI/CLI.hpp>

#include "support/Files.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Faults.h"
#include "tools/tenon/Interrupt.h"
#include "tools/tenon/ModelOptions.h"
#include "tools/tenon/Summary.h"

namespace tenon::cli {
namespace {

class CompileCommand : public Command {
public:
  void declare(CLI::App &app) override {
    model.declare(app, "MODEL");
    app.add_option("-o,--output", output, "The package's path")
        ->option_text("FILE [MODEL with .tenon for its ending]");
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    if (output.empty())
      output = std::filesystem::path(model.path).replace_extension(".tenon").string();
    auto compiled = compileFile(model);
    if (!compiled)
      return tl::unexpected(compiled.error());
    auto bytes = package::write(compiled->package);
    if (!bytes)
      return fail(bytes.error(), output);
    if (auto written = writeWhole(*bytes); !written)
      return tl::unexpected(written.error());
    return report(compiled->report, *bytes).map([] { return kDone; });
  }

private:
  Expected<void> writeWhole(const Bytes &bytes) {
    UninterruptedWrite guard;
    return writeFile(output, bytes);
  }

  Expected<void> report(const partition::Report &report, const Bytes &bytes) {
    auto hashes = package::readHashes(bytes);
    if (!hashes)
      return fail(hashes.error(), output);
    const size_t onHost = summarize(report).hostOperators;
    if (json)
      return printJson({{"package", output},
                        {"bytes", bytes.size()},
                        {"hash", toHex(hashes->file)},
                        {"operators", report.operators.size()},
                        {"host_operators", onHost},
                        {"partitions", report.partitions.size()},
                        {"faults", faultsJson(report.faults)}});
    return print(fmt::format("{}: {} bytes, {} operators, {} of them on the host, {} partitions\n",
                             printable(output), bytes.size(), report.operators.size(), onHost,
                             report.partitions.size()));
  }

  ModelOptions model;
  std::string output;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeCompileCommand() { return std::make_unique<CompileCommand>(); }

} // namespace tenon::cli
