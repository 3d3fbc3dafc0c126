// SPDX-License-Identifier: Apache-2.0
// A network ready to run: its buffers, its devices, its steps.
#pragma once
#include <chrono>
#include <mutex>

#include "runtime/session/LoadedPackage.h"
#include "runtime/session/Step.h"

namespace tenon::runtime {

/// Calls from several threads wait for each other; sessions do not wait for other sessions.
class Session {
public:
  /// Opens \p uris, one a target, and the default device of every target they do not cover.
  /// Fails with TENON_NO_DEVICE, TENON_BAD_PACKAGE or TENON_OUT_OF_MEMORY.
  static Result<std::unique_ptr<Session>> create(std::shared_ptr<const LoadedPackage> package,
                                                 const std::vector<std::string> &uris);

  Result<void *> input(size_t index);
  Result<void *> output(size_t index);
  Result<void> bindInput(size_t index, const void *data, size_t size);
  Result<void> bindOutput(size_t index, void *data, size_t size);

  /// Runs every step in order; stops at the first that fails.
  Result<void> run();

  size_t stepCount() const { return steps.size(); }
  /// Of the last run, zeros before it.
  Result<tenon_step_profile> profile(size_t step) const;

private:
  Session(std::shared_ptr<const LoadedPackage> package, Bindings bindings)
      : package(std::move(package)), bindings(std::move(bindings)) {}
  Result<void> runStep(size_t index);

  mutable std::mutex mutex;
  std::shared_ptr<const LoadedPackage> package; ///< before steps: they point into it
  Bindings bindings;
  std::vector<std::unique_ptr<Step>> steps;
  std::vector<tenon_step_profile> profiles;
};

} // namespace tenon::runtime
