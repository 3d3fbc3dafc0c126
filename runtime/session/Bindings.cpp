// SPDX-License-Identifier: Apache-2.0
// Settles the address of every tensor before a run.
#include "runtime/session/Bindings.h"

#include <cstring>

namespace tenon::runtime {

Result<Bindings> Bindings::create(const package::Package &package) {
  Bindings bindings(package);
  auto arena = AlignedBuffer::allocate(package.arenaBytes);
  if (!arena)
    return tl::unexpected(arena.error());
  bindings.arena = std::move(*arena);
  return bindings;
}

Result<void> Bindings::Edge::checkIndex(size_t index) const {
  if (index < tensors->size())
    return {};
  return failure(TENON_INVALID_ARGUMENT, "{} {} of {}", what, index, tensors->size());
}

Result<void *> Bindings::Edge::own(size_t index) {
  if (auto ok = checkIndex(index); !ok)
    return tl::unexpected(ok.error());
  if (!buffers[index].data()) {
    auto buffer = AlignedBuffer::allocate(*sizeOf(tensor(index)));
    if (!buffer)
      return tl::unexpected(buffer.error());
    buffers[index] = std::move(*buffer);
  }
  return buffers[index].data();
}

Result<void> Bindings::Edge::bind(size_t index, void *data, size_t size) {
  if (auto ok = checkIndex(index); !ok)
    return ok;
  const package::Tensor &type = tensor(index);
  if (data && size != *sizeOf(type))
    return failure(TENON_INVALID_ARGUMENT, "{} {} \"{}\" has {} bytes, the caller's memory {}",
                   what, index, type.name, *sizeOf(type), size);
  if (reinterpret_cast<uintptr_t>(data) % package::sizeOf(type.type))
    return failure(TENON_INVALID_ARGUMENT, "{} {} \"{}\": memory is not aligned for {}", what,
                   index, type.name, nameOf(type.type));
  bound[index] = data;
  return {};
}

Result<void> Bindings::prepare() {
  addresses.assign(package->tensors.size(), nullptr);
  copies.clear();
  for (size_t i = 0; i < package->inputs.size(); ++i) {
    auto data = inputs.current(i);
    if (!data)
      return tl::unexpected(data.error());
    addresses[package->inputs[i]] = *data;
  }
  for (size_t i = 0; i < package->outputs.size(); ++i) {
    auto data = outputs.current(i);
    if (!data)
      return tl::unexpected(data.error());
    void *&address = addresses[package->outputs[i]];
    if (address)
      copies.push_back({*data, package->outputs[i]});
    else
      address = *data;
  }
  for (size_t i = 0; i < addresses.size(); ++i)
    if (!addresses[i])
      addresses[i] = static_cast<char *>(arena.data()) + package->tensors[i].arenaOffset;
  return {};
}

void Bindings::finish() const {
  for (const Copy &copy : copies)
    std::memmove(copy.to, addresses[copy.tensor], *sizeOf(package->tensors[copy.tensor]));
}

} // namespace tenon::runtime
