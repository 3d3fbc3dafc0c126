// SPDX-License-Identifier: Apache-2.0
// tenon devices: what --target and --device may name.
#include <CLI/CLI.hpp>

#include "compiler/Compiler.h"
#include "hardware/mortise/Config.h"
#include "runtime/api/tenon.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Json.h"

namespace tenon::cli {
namespace {

/// What the runtime can open; the list is its own.
std::vector<tenon_device_kind_info> deviceKinds() {
  std::vector<tenon_device_kind_info> kinds(tenon_device_kind_count());
  for (size_t i = 0; i < kinds.size(); ++i)
    tenon_device_kind(i, &kinds[i]);
  return kinds;
}

class DevicesCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("--plugin", plugins, "A library with one more backend (may be repeated)")
        ->option_text("FILE")
        ->allow_extra_args(false);
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    auto backends = compiler::listBackends(plugins);
    if (!backends)
      return tl::unexpected(backends.error());
    auto printed = json ? printJson(jsonOf(*backends)) : print(textOf(*backends));
    return printed.map([] { return kDone; });
  }

private:
  static Json jsonOf(const std::vector<compiler::BackendInfo> &backends) {
    Json targets = Json::array(), configs = Json::array(), devices = Json::array();
    for (const auto &info : backends)
      targets.push_back({{"name", info.name}, {"summary", info.summary}, {"origin", info.origin}});
    for (const auto &config : mortise::shippedConfigs())
      configs.push_back(config.name);
    for (const auto &kind : deviceKinds())
      devices.push_back({{"uri", fmt::format("{}:", kind.uri_scheme)},
                         {"target", kind.target},
                         {"origin", kind.origin}});
    return {{"targets", targets}, {"mortise_configs", configs}, {"devices", devices}};
  }

  static std::string textOf(const std::vector<compiler::BackendInfo> &backends) {
    std::vector<std::vector<std::string>> rows, uris;
    for (const auto &info : backends)
      rows.push_back(
          {"  " + printable(info.name), printable(info.summary), printable(info.origin)});
    for (const auto &kind : deviceKinds())
      uris.push_back({fmt::format("  {}:", printable(kind.uri_scheme)),
                      fmt::format("runs {}", printable(kind.target)), printable(kind.origin)});
    std::string names;
    for (const auto &config : mortise::shippedConfigs())
      names += fmt::format(" {}", config.name);
    return "targets for --target:\n" + formatTable(rows) + "configurations of mortise:" + names +
           "\ndevices for --device:\n" + (uris.empty() ? "  none\n" : formatTable(uris));
  }

  std::vector<std::string> plugins;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeDevicesCommand() { return std::make_unique<DevicesCommand>(); }

} // namespace tenon::cli
