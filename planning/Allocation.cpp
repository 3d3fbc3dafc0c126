// SPDX-License-Identifier: Apache-2.0
// First fit, and the check of any solver's answer.
#include "planning/Allocation.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/Checked.h"

namespace tenon::planning {
namespace {

bool liveTogether(const Block &a, const Block &b) {
  return a.bytes && b.bytes && a.first <= b.last && b.first <= a.last;
}

std::vector<size_t> largestFirst(const std::vector<Block> &blocks) {
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(~blocks[i].bytes, i); });
  return order;
}

/// The lowest offset past all of \p taken (begin, end) that would overlap.
uint64_t lowestFree(std::vector<std::pair<uint64_t, uint64_t>> taken, uint64_t bytes,
                    uint64_t alignment) {
  std::ranges::sort(taken);
  uint64_t offset = 0;
  for (auto [begin, end] : taken)
    if (offset + bytes > begin)
      offset = std::max(offset, alignUp(end, alignment));
    else
      break;
  return offset;
}

} // namespace

Allocation allocateFirstFit(const AllocationProblem &problem) {
  Allocation allocation;
  allocation.offsets.resize(problem.blocks.size());
  std::vector<size_t> placed;
  for (size_t index : largestFirst(problem.blocks)) {
    const Block &block = problem.blocks[index];
    std::vector<std::pair<uint64_t, uint64_t>> taken;
    for (size_t other : placed)
      if (liveTogether(block, problem.blocks[other]))
        taken.emplace_back(allocation.offsets[other],
                           allocation.offsets[other] + problem.blocks[other].bytes);
    allocation.offsets[index] = lowestFree(std::move(taken), block.bytes, problem.alignmentBytes);
    allocation.sizeBytes = std::max(allocation.sizeBytes, allocation.offsets[index] + block.bytes);
    placed.push_back(index);
  }
  return allocation;
}

Expected<void> verify(const AllocationProblem &problem, const Allocation &allocation) {
  const auto &blocks = problem.blocks;
  if (allocation.offsets.size() != blocks.size())
    return fail("{} offsets for {} blocks", allocation.offsets.size(), blocks.size());
  const auto endOf = [&](size_t i) { return allocation.offsets[i] + blocks[i].bytes; };
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (allocation.offsets[i] % problem.alignmentBytes)
      return fail("block {}: offset {} is no multiple of {}", i, allocation.offsets[i],
                  problem.alignmentBytes);
    if (endOf(i) > allocation.sizeBytes)
      return fail("block {}: end {} exceeds {}", i, endOf(i), allocation.sizeBytes);
    for (size_t j = 0; j < i; ++j)
      if (liveTogether(blocks[i], blocks[j]) && allocation.offsets[i] < endOf(j) &&
          allocation.offsets[j] < endOf(i))
        return fail("blocks {} and {} overlap", j, i);
  }
  return {};
}

} // namespace tenon::planning
