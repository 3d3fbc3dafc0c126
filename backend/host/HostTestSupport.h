// SPDX-License-Identifier: Apache-2.0
// For tests: MLIR text in, a callable function out.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "backend/host/Plugin.h"

namespace tenon::host {

/// Functions of one module, compiled by the host backend for this machine and loaded.
class LoadedModule {
public:
  /// Compiles every function of \p text for CPU level \p config; on failure error() says why.
  explicit LoadedModule(const std::string &text, const std::string &config = "");
  ~LoadedModule();
  LoadedModule(const LoadedModule &) = delete;

  const std::string &error() const { return errorText; }
  const backend::CompileResult &result() const { return compiled; }
  const Bytes &image() const { return compiled.compiled.hostCode.front().image; }

  /// Loads the image into this process; false if the system refuses it.
  bool load();
  /// Calls function \p symbol; returns what it returns. load() must have succeeded.
  int call(const std::string &symbol, std::vector<const void *> inputs,
           std::vector<void *> outputs);

private:
  struct Context;
  std::unique_ptr<Context> context;
  backend::CompileResult compiled;
  std::string errorText;
  void *handle = nullptr;
};

/// Compiles @f of \p text, runs it on \p input, and returns its one output of \p outputCount
/// elements. Empty, and a test failure, if anything goes wrong.
template <typename Out, typename In>
std::vector<Out> runOne(const std::string &text, const std::vector<In> &input, size_t outputCount);

/// The bytes of runOne.
bool runBytes(const std::string &text, std::vector<const void *> inputs,
              std::vector<void *> outputs);

template <typename Out, typename In>
std::vector<Out> runOne(const std::string &text, const std::vector<In> &input, size_t outputCount) {
  std::vector<Out> output(outputCount);
  return runBytes(text, {input.data()}, {output.data()}) ? output : std::vector<Out>();
}

} // namespace tenon::host
