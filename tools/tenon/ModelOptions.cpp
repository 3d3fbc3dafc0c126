// SPDX-License-Identifier: Apache-2.0
// From a path and --target to a package.
#include "tools/tenon/ModelOptions.h"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "package/Format.h"
#include "support/Files.h"
#include "tools/tenon/Faults.h"
#include "tools/tenon/Progress.h"

namespace tenon::cli {
namespace {

Expected<compiler::Compilation> compileBytes(const ModelOptions &options, ByteSpan model,
                                             const std::string &targetText, bool exposeEdges) {
  auto targets = compiler::parseTargets(targetText);
  if (!targets)
    return fail(targets.error(), "--target");
  compiler::CompileOptions how;
  how.targets = *targets;
  how.plugins = options.plugins;
  how.exposeEdges = exposeEdges;
  auto compiled = [&] {
    Progress progress(options.progress);
    how.progress = [&](const std::string &stage) { progress.stage(stage); };
    return compiler::compileModel(model, fileNameOf(options.path), how);
  }();
  if (compiled)
    for (const partition::BackendFault &fault : compiled->report.faults)
      printWarning(sentenceOf(fault));
  return compiled;
}

} // namespace

void ModelOptions::declare(CLI::App &app, const std::string &what) {
  app.add_option(what, path,
                 "A TFLite model" + std::string(what == "MODEL" ? "" : ", or a package"))
      ->required();
  app.add_option("--target", targets,
                 "Targets by preference, A[:CONFIG],B[:CONFIG]...; CONFIG is a shipped name or a "
                 "file; the host is always the last resort")
      ->capture_default_str()
      ->option_text("TARGETS [" + targets + "]");
  app.add_option("--plugin", plugins,
                 "A library with one more backend, or a folder of them (may be repeated)")
      ->option_text("PATH")
      ->allow_extra_args(false);
  app.add_flag("--progress", progress,
               "Tell what takes over a second even if standard error is no terminal");
}

bool isPackage(const std::string &path, ByteSpan bytes) {
  return package::hasMagic(bytes) || std::filesystem::path(path).extension() == ".tenon";
}

Expected<compiler::Compilation> compileFile(const ModelOptions &options, bool exposeEdges) {
  return compileFile(options, options.targets, exposeEdges);
}

Expected<compiler::Compilation> compileFile(const ModelOptions &options, const std::string &targets,
                                            bool exposeEdges) {
  auto bytes = readFile(options.path);
  if (!bytes)
    return tl::unexpected(bytes.error());
  if (isPackage(options.path, *bytes))
    return fail("{}: a package, compiled already; give the model it was made from", options.path);
  return compileBytes(options, *bytes, targets, exposeEdges);
}

Expected<LoadedPackage> loadFile(const ModelOptions &options) {
  auto bytes = readFile(options.path);
  if (!bytes)
    return tl::unexpected(bytes.error());
  if (isPackage(options.path, *bytes)) {
    auto package = package::read(*bytes);
    if (!package)
      return fail(package.error(), options.path);
    return LoadedPackage{std::move(*package), std::move(*bytes)};
  }
  auto compiled = compileBytes(options, *bytes, options.targets, false);
  if (!compiled)
    return tl::unexpected(compiled.error());
  auto written = package::write(compiled->package);
  if (!written)
    return fail(written.error(), options.path);
  return LoadedPackage{std::move(compiled->package), std::move(*written)};
}

std::string fileNameOf(const std::string &path) {
  return std::filesystem::path(path).filename().string();
}

} // namespace tenon::cli
