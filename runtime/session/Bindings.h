// SPDX-License-Identifier: Apache-2.0
// Where each tensor of a session lies: the arena, the session's own buffers, the caller's memory.
#pragma once
#include <vector>

#include "package/Package.h"
#include "runtime/session/AlignedBuffer.h"

namespace tenon::runtime {

/// Addresses of a network's tensors. Own buffers of inputs and outputs are made when first asked
/// for. Not safe for several threads.
class Bindings {
public:
  /// \p package must outlive this. Fails with TENON_OUT_OF_MEMORY.
  static Result<Bindings> create(const package::Package &package);

  /// The session's own buffer.
  Result<void *> ownInput(size_t index) { return inputs.own(index); }
  Result<void *> ownOutput(size_t index) { return outputs.own(index); }

  /// Uses the caller's memory, \p size bytes; null returns to the session's own.
  Result<void> bindInput(size_t index, const void *data, size_t size) {
    return inputs.bind(index, const_cast<void *>(data), size);
  }
  Result<void> bindOutput(size_t index, void *data, size_t size) {
    return outputs.bind(index, data, size);
  }

  /// Settles every address for one run. An output that is an input, or stands twice, gets its
  /// bytes in finish.
  Result<void> prepare();
  void finish() const;

  /// Address of a tensor by its index in the package, valid from prepare to the next bind.
  void *address(uint32_t tensor) const { return addresses[tensor]; }

private:
  /// Inputs or outputs of the network, in its order.
  struct Edge {
    const package::Package *package = nullptr;
    const std::vector<uint32_t> *tensors = nullptr;
    const char *what = nullptr; ///< "input"
    std::vector<AlignedBuffer> buffers;
    std::vector<void *> bound;

    Edge(const package::Package &package, const std::vector<uint32_t> &tensors, const char *what)
        : package(&package), tensors(&tensors), what(what), buffers(tensors.size()),
          bound(tensors.size()) {}
    const package::Tensor &tensor(size_t index) const {
      return package->tensors[(*tensors)[index]];
    }
    Result<void> checkIndex(size_t index) const;
    Result<void *> own(size_t index);
    Result<void> bind(size_t index, void *data, size_t size);
    /// The caller's memory if bound, else the session's own.
    Result<void *> current(size_t index) { return bound[index] ? bound[index] : own(index); }
  };
  struct Copy {
    void *to;
    uint32_t tensor;
  };

  explicit Bindings(const package::Package &package)
      : package(&package), inputs(package, package.inputs, "input"),
        outputs(package, package.outputs, "output") {}

  const package::Package *package;
  AlignedBuffer arena;
  Edge inputs, outputs;
  std::vector<void *> addresses;
  std::vector<Copy> copies;
};

} // namespace tenon::runtime
