// SPDX-License-Identifier: Apache-2.0
// tenon devices: what --target and --device may name, and which libraries offer nothing, and why.
#include <CLI/CLI.hpp>

#include "compiler/Compiler.h"
#include "runtime/api/tenon.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Json.h"

namespace tenon::cli {
namespace {

struct Found {
  compiler::BackendList targets;
  std::vector<tenon_device_kind_info> devices;
  std::vector<std::string> notLoaded; ///< a line each, with the library and the reason
};

/// Both sides are asked; what the runtime can open is its own list.
Found findAll(const std::vector<std::string> &plugins) {
  Found found{compiler::listBackends(plugins), {}, {}};
  found.devices.resize(tenon_device_kind_count());
  for (size_t i = 0; i < found.devices.size(); ++i)
    tenon_device_kind(i, &found.devices[i]);
  for (const compiler::SkippedLibrary &library : found.targets.skipped)
    found.notLoaded.push_back(library.reason);
  for (size_t i = 0; const char *problem = tenon_device_problem(i); ++i)
    found.notLoaded.push_back(problem);
  return found;
}

Json jsonOf(const Found &found) {
  Json targets = Json::array(), devices = Json::array(), notLoaded = Json::array();
  for (const compiler::BackendInfo &info : found.targets.backends)
    targets.push_back({{"name", info.name},
                       {"summary", info.summary},
                       {"configs", info.configs},
                       {"origin", info.origin}});
  for (const tenon_device_kind_info &kind : found.devices)
    devices.push_back({{"uri", fmt::format("{}:", kind.uri_scheme)},
                       {"target", kind.target},
                       {"origin", kind.origin}});
  for (const std::string &reason : found.notLoaded)
    notLoaded.push_back(reason);
  return {{"targets", targets}, {"devices", devices}, {"not_loaded", notLoaded}};
}

std::string targetTable(const std::vector<compiler::BackendInfo> &targets) {
  std::vector<std::vector<std::string>> rows;
  for (const compiler::BackendInfo &info : targets) {
    const std::string configs = fmt::format("{}", fmt::join(info.configs, " "));
    rows.push_back({"  " + printable(info.name), printable(info.summary),
                    configs.empty() ? "-" : printable(configs), printable(info.origin)});
  }
  return formatTable(rows);
}

std::string deviceTable(const std::vector<tenon_device_kind_info> &devices) {
  std::vector<std::vector<std::string>> rows;
  for (const tenon_device_kind_info &kind : devices)
    rows.push_back({fmt::format("  {}:", printable(kind.uri_scheme)),
                    fmt::format("runs {}", printable(kind.target)), printable(kind.origin)});
  return rows.empty() ? "  none\n" : formatTable(rows);
}

std::string textOf(const Found &found) {
  std::string text = "targets for --target (name, summary, configurations, origin):\n" +
                     targetTable(found.targets.backends) + "devices for --device:\n" +
                     deviceTable(found.devices);
  if (!found.notLoaded.empty())
    text += "libraries not loaded, or at fault:\n";
  for (const std::string &reason : found.notLoaded)
    text += "  " + printable(reason) + "\n";
  return text;
}

class DevicesCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("--plugin", plugins,
                   "A library with one more backend, or a folder of them (may be repeated)")
        ->option_text("PATH")
        ->allow_extra_args(false);
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    const Found found = findAll(plugins);
    auto printed = json ? printJson(jsonOf(found)) : print(textOf(found));
    return printed.map([] { return kDone; });
  }

private:
  std::vector<std::string> plugins;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeDevicesCommand() { return std::make_unique<DevicesCommand>(); }

} // namespace tenon::cli
