// SPDX-License-Identifier: Apache-2.0
// Zeroed memory at a multiple of package::kTensorAlignment.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "package/Package.h"
#include "runtime/session/Result.h"

namespace tenon::runtime {

/// Owns memory for tensors. Large buffers cost physical memory only where they are touched.
class AlignedBuffer {
public:
  AlignedBuffer() = default;

  /// Fails with TENON_OUT_OF_MEMORY. An empty buffer has an address, too.
  static Result<AlignedBuffer> allocate(uint64_t sizeBytes) {
    AlignedBuffer buffer;
    buffer.memory.reset(std::calloc(sizeBytes + package::kTensorAlignment, 1));
    if (!buffer.memory)
      return failure(TENON_OUT_OF_MEMORY, "{} bytes for tensors cannot be had", sizeBytes);
    return buffer;
  }

  /// Null before allocate.
  void *data() const {
    auto address = reinterpret_cast<uintptr_t>(memory.get());
    uintptr_t skip = -address % package::kTensorAlignment;
    return memory ? static_cast<char *>(memory.get()) + skip : nullptr;
  }

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory;
};

} // namespace tenon::runtime
