// SPDX-License-Identifier: Apache-2.0
// The options that every command on a model shares, and what they lead to.
#pragma once
#include <string>
#include <vector>

#include "compiler/Compiler.h"

namespace CLI {
class App;
}

namespace tenon::cli {

/// What --target is if it is not given.
inline constexpr const char *kDefaultTargets = "mortise:medium,host";

/// `MODEL [--target T] [--plugin P]... [--progress]`.
struct ModelOptions {
  std::string path;
  std::string targets = kDefaultTargets;
  std::vector<std::string> plugins;
  bool progress = false;

  /// \p what names the positional: "MODEL" or "MODEL|PACKAGE".
  void declare(CLI::App &app, const std::string &what);
};

/// A package to run or to look at, however it came about.
struct LoadedPackage {
  package::Package package;
  Bytes bytes;
};

/// Is it a package, by its first bytes or, for a damaged one, by its name?
bool isPackage(const std::string &path, ByteSpan bytes);

/// Compiles the model at \p options' path. Fails, naming the file, if that is a package.
Expected<compiler::Compilation> compileFile(const ModelOptions &options, bool exposeEdges = false);
/// As above for another list of targets.
Expected<compiler::Compilation> compileFile(const ModelOptions &options, const std::string &targets,
                                            bool exposeEdges);

/// Reads the package at \p options' path, or compiles the model there.
Expected<LoadedPackage> loadFile(const ModelOptions &options);

/// "cat.tflite" of "/a/cat.tflite".
std::string fileNameOf(const std::string &path);

} // namespace tenon::cli
