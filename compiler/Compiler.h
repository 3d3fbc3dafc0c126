// SPDX-License-Identifier: Apache-2.0
// The whole compiler as one call: model bytes in, package and report out.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "backend/api/Claim.h"
#include "package/Package.h"
#include "partition/Report.h"
#include "support/Bytes.h"
#include "support/Error.h"

namespace tenon::compiler {

/// `NAME[:CONFIG]` of --target.
struct TargetSpec {
  std::string name, config;
  /// Takes all it can, however little a region is worth: for tools that try a backend.
  bool eager = false;
};

/// Splits `A[:CONFIG],B[:CONFIG]`; the host is appended if not named. Fails on an empty or
/// repeated name. Names are checked against the registry by compileModel.
Expected<std::vector<TargetSpec>> parseTargets(const std::string &text);

struct CompileOptions {
  std::vector<TargetSpec> targets;  ///< by preference, the host last
  std::vector<std::string> plugins; ///< libraries with tenon_backend_v1, or folders
  /// Also make every tensor at a composite's edge an output, after the model's own, named
  /// as in the model: for `tenon compare`.
  bool exposeEdges = false;
  /// Called with the stage that begins ("import", "partition", "compile mortise"...).
  std::function<void(const std::string &)> progress;
};

struct Compilation {
  package::Package package;
  partition::Report report;
};

/// Compiles a model file's bytes. \p modelName is used in messages and stored in the package.
/// Never throws; the Error is one line naming file, operator, reason, remedy.
Expected<Compilation> compileModel(ByteSpan model, const std::string &modelName,
                                   const CompileOptions &options);

/// A backend that could be named in --target.
struct BackendInfo {
  std::string name, summary, origin; ///< origin: "built in" or the library's path
  std::vector<std::string> configs;  ///< shipped configurations, for `NAME:CONFIG`
};

/// A library that offers no backend here, and why: one line that names it.
struct SkippedLibrary {
  std::string path, reason;
};

struct BackendList {
  std::vector<BackendInfo> backends;
  std::vector<SkippedLibrary> skipped;
};

/// Built-in backends, then those of TENON_PLUGIN_PATH and \p plugins (files, or folders of *.so
/// files); a plug-in replaces a built-in of its name, a later one an earlier.
BackendList listBackends(const std::vector<std::string> &plugins);

/// What the backend of \p target says it takes, empty if it does not tell. Fails if there is no
/// such target, or with the backend's fault.
Expected<std::vector<backend::Claim>> claimsOf(const TargetSpec &target,
                                               const std::vector<std::string> &plugins);

} // namespace tenon::compiler
