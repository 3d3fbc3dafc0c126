// SPDX-License-Identifier: Apache-2.0
// The backends this process knows: built in, then plug-in libraries.
#pragma once
#include <memory>

#include "backend/api/Backend.h"
#include "compiler/Compiler.h"
#include "compiler/GuardedBackend.h"

namespace tenon::compiler {

/// The backend that runs what nobody else takes.
inline constexpr const char *kLastResort = "host";

class Registry {
public:
  /// Loads the libraries of TENON_PLUGIN_PATH, then \p plugins; each a file or a folder of *.so
  /// files. A plug-in replaces a built-in of its name, a later one an earlier. Libraries stay
  /// loaded; those that cannot be are noted in skipped().
  static Registry discover(const std::vector<std::string> &plugins);

  /// As discover, but fails if something that \p plugins names is not loaded.
  static Expected<Registry> load(const std::vector<std::string> &plugins);

  const std::vector<BackendEntry> &entries() const { return known; }
  const std::vector<SkippedLibrary> &skipped() const { return notLoaded; }

  /// Makes the backends of \p targets, in that order, each behind a guard that outlives it and
  /// notes faults in \p faults, which outlives them all. Fails with the names there are.
  Expected<std::vector<std::unique_ptr<backend::Backend>>>
  create(mlir::MLIRContext &context, const std::vector<TargetSpec> &targets,
         FaultLog &faults) const;

private:
  void add(BackendEntry entry);
  Expected<void> addPath(const std::string &path);
  Expected<void> loadLibrary(const std::string &path);
  Expected<std::unique_ptr<backend::Backend>>
  createOne(mlir::MLIRContext &context, const TargetSpec &target, FaultLog &faults) const;
  tl::unexpected<Error> unknownName(const std::string &name) const;

  std::vector<BackendEntry> known;
  std::vector<SkippedLibrary> notLoaded;
};

/// What the build put into this library; defined in a generated file.
std::vector<const backend::BackendPlugin *> builtInBackends();

} // namespace tenon::compiler
