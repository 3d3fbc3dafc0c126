// SPDX-License-Identifier: Apache-2.0
// Host code of a package, checked and loaded into this process.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "package/Package.h"
#include "runtime/session/Result.h"

namespace tenon::runtime {

/// The C entry of a host partition: package::kHostAbiVersion 1. Pointers stand in the partition's
/// order of inputs and outputs; buffers are dense and do not overlap. Returns 0, or non-zero if it
/// ran out of memory.
using HostEntry = int32_t (*)(void *const *inputs, void *const *outputs);

/// A loaded ELF image; unloaded on destruction. Entries may be called from several threads.
class HostImage {
public:
  /// Loads the first of \p candidates that this machine can run. Fails with TENON_BAD_PACKAGE and
  /// the CPU feature, import or byte at fault.
  static Result<std::unique_ptr<HostImage>> load(const std::vector<package::HostCode> &candidates);

  ~HostImage();
  HostImage(const HostImage &) = delete;
  HostImage &operator=(const HostImage &) = delete;

  Result<HostEntry> findEntry(const std::string &symbol) const;

private:
  HostImage(int file, void *handle) : file(file), handle(handle) {}
  static Result<std::unique_ptr<HostImage>> load(const Bytes &image);

  int file; ///< stays open: the loader knows images by path, and the number names the path
  void *handle;
};

} // namespace tenon::runtime
