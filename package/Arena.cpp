// SPDX-License-Identifier: Apache-2.0
// Verifies a package's memory plan: bounds, alignment, no overlap of what is alive together.
#include <algorithm>
#include <map>

#include "package/Lifetimes.h"

namespace tenon::package {
namespace {

Expected<void> checkBounds(const Package &package, uint32_t index) {
  const Tensor &tensor = package.tensors[index];
  uint64_t bytes = *sizeOf(tensor);
  if (tensor.arenaOffset % kTensorAlignment)
    return fail("tensor {}: arena offset {} is no multiple of {}", index, tensor.arenaOffset,
                kTensorAlignment);
  if (tensor.arenaOffset > package.arenaBytes || bytes > package.arenaBytes - tensor.arenaOffset)
    return fail("tensor {}: {} bytes at {} exceed the arena's {}", index, bytes, tensor.arenaOffset,
                package.arenaBytes);
  return {};
}

/// Tensors that lie in the arena, by the step that makes them; empty tensors lie nowhere.
std::vector<uint32_t> plannedTensors(const Package &package, const Lifetimes &lifetimes) {
  std::vector<uint32_t> planned;
  for (uint32_t i = 0; i < package.tensors.size(); ++i)
    if (uint32_t step = lifetimes.producedAt[i]; step != 0 && step != Lifetimes::kNever &&
                                                 !lifetimes.isOutput[i] &&
                                                 *sizeOf(package.tensors[i]) != 0)
      planned.push_back(i);
  std::ranges::sort(planned, {}, [&](uint32_t i) { return std::pair(lifetimes.producedAt[i], i); });
  return planned;
}

/// The tensors alive at one step, by offset; they never overlap.
class AliveTensors {
public:
  AliveTensors(const Package &package, const Lifetimes &lifetimes)
      : package(package), lifetimes(lifetimes) {}

  /// Forgets what nobody reads at \p step or later.
  void dropBefore(uint32_t step) {
    while (!byLastUse.empty() && byLastUse.begin()->first < step) {
      byOffset.erase(package.tensors[byLastUse.begin()->second].arenaOffset);
      byLastUse.erase(byLastUse.begin());
    }
  }

  Expected<void> add(uint32_t index) {
    uint64_t offset = package.tensors[index].arenaOffset;
    auto next = byOffset.lower_bound(offset);
    if (next != byOffset.end() && endOf(index) > next->first)
      return fail("tensors {} and {} overlap in the arena", next->second, index);
    if (next != byOffset.begin() && endOf(std::prev(next)->second) > offset)
      return fail("tensors {} and {} overlap in the arena", std::prev(next)->second, index);
    byOffset.emplace(offset, index);
    byLastUse.emplace(lifetimes.lastUsedAt[index], index);
    return {};
  }

private:
  uint64_t endOf(uint32_t index) const {
    return package.tensors[index].arenaOffset + *sizeOf(package.tensors[index]);
  }

  const Package &package;
  const Lifetimes &lifetimes;
  std::map<uint64_t, uint32_t> byOffset;
  std::multimap<uint32_t, uint32_t> byLastUse;
};

} // namespace

Expected<void> checkArena(const Package &package, const Lifetimes &lifetimes) {
  if (package.arenaBytes > kMaxArenaBytes)
    return fail("arena of {} bytes exceeds {}", package.arenaBytes, kMaxArenaBytes);
  AliveTensors alive(package, lifetimes);
  for (uint32_t index : plannedTensors(package, lifetimes)) {
    if (auto ok = checkBounds(package, index); !ok)
      return ok;
    alive.dropBefore(lifetimes.producedAt[index]);
    if (auto ok = alive.add(index); !ok)
      return ok;
  }
  return {};
}

} // namespace tenon::package
