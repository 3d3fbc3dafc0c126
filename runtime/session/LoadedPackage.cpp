// SPDX-License-Identifier: Apache-2.0
// Reads packages and keeps their host code.
#include "runtime/session/LoadedPackage.h"

namespace tenon::runtime {

Result<std::shared_ptr<LoadedPackage>> LoadedPackage::read(ByteSpan bytes) {
  auto package = package::read(bytes);
  if (!package)
    return failure(TENON_BAD_PACKAGE, package.error());
  return std::make_shared<LoadedPackage>(std::move(*package));
}

Result<const HostImage *> LoadedPackage::hostImage() const {
  std::lock_guard lock(mutex);
  if (!image) {
    auto loaded = HostImage::load(package.hostCode);
    if (!loaded)
      return tl::unexpected(loaded.error());
    image = std::move(*loaded);
  }
  return image.get();
}

} // namespace tenon::runtime
