// SPDX-License-Identifier: Apache-2.0
// A verified package and, once a session needs it, its host code: shared by sessions.
#pragma once
#include <memory>
#include <mutex>

#include "package/Package.h"
#include "runtime/session/HostImage.h"

namespace tenon::runtime {

/// Immutable but for the host code, which is loaded once. Safe for any number of threads.
class LoadedPackage {
public:
  explicit LoadedPackage(package::Package package) : package(std::move(package)) {}

  /// Reads and verifies \p bytes; fails with TENON_BAD_PACKAGE.
  static Result<std::shared_ptr<LoadedPackage>> read(ByteSpan bytes);

  /// The host code, loaded at the first call; it lives as long as this.
  Result<const HostImage *> hostImage() const;

  const package::Package package;

private:
  mutable std::mutex mutex;
  mutable std::unique_ptr<HostImage> image;
};

} // namespace tenon::runtime
