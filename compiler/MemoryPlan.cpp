// SPDX-License-Identifier: Apache-2.0
// Greedy by size.
#include "compiler/MemoryPlan.h"

#include <algorithm>

#include "package/Lifetimes.h"
#include "support/Checked.h"

namespace tenon::compiler {
namespace {

using package::Lifetimes;

struct Place {
  uint64_t begin, end;  ///< bytes
  uint32_t first, last; ///< steps
};

/// The lowest aligned offset where \p sizeBytes fit beside all \p taken that live then.
uint64_t findOffset(std::vector<Place> taken, uint64_t sizeBytes) {
  std::ranges::sort(taken, {}, &Place::begin);
  uint64_t offset = 0;
  for (const Place &place : taken) {
    if (offset + sizeBytes <= place.begin)
      break;
    offset = std::max(offset, alignUp(place.end, package::kTensorAlignment));
  }
  return offset;
}

bool isPlanned(const Lifetimes &lifetimes, uint32_t tensor) {
  const uint32_t made = lifetimes.producedAt[tensor];
  return made != 0 && made != Lifetimes::kNever && !lifetimes.isOutput[tensor];
}

} // namespace

Expected<void> planMemory(package::Package &package) {
  auto lifetimes = package::findLifetimes(package);
  if (!lifetimes)
    return tl::unexpected(lifetimes.error());
  std::vector<std::pair<uint64_t, uint32_t>> bySize;
  for (uint32_t i = 0; i < package.tensors.size(); ++i)
    if (auto bytes = package::sizeOf(package.tensors[i]); !bytes)
      return fail("tensor \"{}\" has too many elements", package.tensors[i].name);
    else if (isPlanned(*lifetimes, i) && *bytes)
      bySize.emplace_back(*bytes, i);
  std::ranges::sort(bySize, [](auto &a, auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });

  std::vector<Place> places;
  for (auto [sizeBytes, tensor] : bySize) {
    const uint32_t first = lifetimes->producedAt[tensor], last = lifetimes->lastUsedAt[tensor];
    std::vector<Place> alive;
    std::ranges::copy_if(places, std::back_inserter(alive), [&](const Place &place) {
      return place.first <= last && first <= place.last;
    });
    const uint64_t offset = findOffset(std::move(alive), sizeBytes);
    package.tensors[tensor].arenaOffset = offset;
    places.push_back({offset, offset + sizeBytes, first, last});
    package.arenaBytes = std::max(package.arenaBytes, offset + sizeBytes);
  }
  return {};
}

} // namespace tenon::compiler
