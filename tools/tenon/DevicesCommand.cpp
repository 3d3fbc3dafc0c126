// SPDX-License-Identifier: Apache-2.0
// tenon devices: what --target and --device may name.
#include <CLI/CLI.hpp>

#include "compiler/Compiler.h"
#include "hardware/mortise/Config.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Json.h"

namespace tenon::cli {
namespace {

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
    Json targets = Json::array(), configs = Json::array();
    for (const auto &info : backends)
      targets.push_back({{"name", info.name}, {"summary", info.summary}, {"origin", info.origin}});
    for (const auto &config : mortise::shippedConfigs())
      configs.push_back(config.name);
    return {{"targets", targets}, {"mortise_configs", configs}};
  }

  static std::string textOf(const std::vector<compiler::BackendInfo> &backends) {
    std::vector<std::vector<std::string>> rows;
    for (const auto &info : backends)
      rows.push_back({printable(info.name), printable(info.summary), printable(info.origin)});
    std::string names;
    for (const auto &config : mortise::shippedConfigs())
      names += fmt::format(" {}", config.name);
    return "targets:\n" + formatTable(rows) + "configurations of mortise:" + names + "\n";
  }

  std::vector<std::string> plugins;
  bool json = false;
};

} // namespace

std::unique_ptr<Command> makeDevicesCommand() { return std::make_unique<DevicesCommand>(); }

} // namespace tenon::cli
