// SPDX-License-Identifier: Apache-2.0
// The backends this process knows: built in, then plug-in libraries.
#pragma once
#include <memory>

#include "backend/api/Backend.h"
#include "compiler/Compiler.h"

namespace tenon::compiler {

/// The backend that runs what nobody else takes.
inline constexpr const char *kLastResort = "host";

/// One backend and where it came from ("built in" or the library's path).
struct BackendEntry {
  const backend::BackendPlugin *plugin;
  std::string origin;
};

class Registry {
public:
  /// Loads \p plugins and those of TENON_PLUGIN_PATH (libraries, ':' between them); a plug-in
  /// replaces a built-in of its name, a later one an earlier. Libraries stay loaded. Fails, naming
  /// the library, if it cannot be loaded, exports no tenon_backend_v1 or has another version.
  static Expected<Registry> load(const std::vector<std::string> &plugins);

  const std::vector<BackendEntry> &entries() const { return known; }

  /// Makes the backends of \p targets, in that order. Fails with the names there are.
  Expected<std::vector<std::unique_ptr<backend::Backend>>>
  create(mlir::MLIRContext &context, const std::vector<TargetSpec> &targets) const;

private:
  void add(BackendEntry entry);
  Expected<void> loadLibrary(const std::string &path);
  Expected<std::unique_ptr<backend::Backend>> createOne(mlir::MLIRContext &context,
                                                        const TargetSpec &target) const;

  std::vector<BackendEntry> known;
};

/// What the build put into this library; defined in a generated file.
std::vector<const backend::BackendPlugin *> builtInBackends();

} // namespace tenon::compiler
