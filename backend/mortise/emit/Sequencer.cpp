// SPDX-License-Identifier: Apache-2.0
// Vector clocks over engines, and the accesses that later commands may still have to wait for.
#include "backend/mortise/emit/Sequencer.h"

#include <algorithm>

namespace tenon::mortise {
namespace {

bool sameGrid(const Access &a, const Access &b) {
  return a.grid && b.grid && a.grid->owner == b.grid->owner && a.grid->extents == b.grid->extents;
}

bool overlap(const Access &a, const Access &b) {
  if (a.begin >= b.end || b.begin >= a.end)
    return false;
  for (size_t axis = 0; axis < 3 && sameGrid(a, b); ++axis) {
    const Range &x = a.grid->box[axis], &y = b.grid->box[axis];
    if (x.begin >= y.end() || y.begin >= x.end())
      return false;
  }
  return true;
}

/// Does \p access touch every byte from its begin to its end?
bool isSolid(const Access &access) {
  if (!access.grid)
    return true;
  const auto &[owner, extents, box] = *access.grid;
  const bool wholePixels = box[kChannels].size == extents[kChannels];
  const bool wholeRows = wholePixels && box[kColumns].size == extents[kColumns];
  return (wholeRows || box[kRows].size == 1) && (wholePixels || box[kColumns].size == 1);
}

/// Does \p outer touch all that \p inner does?
bool covers(const Access &outer, const Access &inner) {
  if (outer.begin > inner.begin || outer.end < inner.end)
    return false;
  if (isSolid(outer))
    return true;
  if (!sameGrid(outer, inner))
    return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Range &x = outer.grid->box[axis], &y = inner.grid->box[axis];
    if (x.begin > y.begin || x.end() < y.end())
      return false;
  }
  return true;
}

/// The constants and the inputs are only read.
bool isTracked(const Access &access) {
  return access.space == kSramSpace || (access.space != 1 && access.space != 3);
}

} // namespace

Waits Sequencer::waitsFor(Engine engine, std::span<const Access> accesses) const {
  Waits needed;
  for (const Access &access : accesses)
    for (const Record &record : records[access.space])
      if (record.engine != engine && (access.write || record.access.write) &&
          overlap(access, record.access))
        needed.on(record.engine, record.count);
  const size_t self = size_t(engine);
  const Clock known = clocks[self].empty() ? Clock{} : clocks[self].back();
  Waits waits;
  for (size_t e = 0; e < kEngineCount; ++e) {
    const uint64_t count = needed.completed[e];
    bool implied = count <= known[e];
    for (size_t other = 0; other < kEngineCount && !implied; ++other)
      implied = other != e && needed.completed[other] &&
                clockOf(other, needed.completed[other])[e] >= count;
    if (!implied)
      waits.completed[e] = count;
  }
  return waits;
}

void Sequencer::note(Engine engine, uint64_t count, const Waits &waits,
                     std::span<const Access> accesses) {
  const size_t self = size_t(engine);
  Clock clock = clocks[self].empty() ? Clock{} : clocks[self].back();
  for (size_t e = 0; e < kEngineCount; ++e)
    if (const uint64_t waited = waits.completed[e])
      for (size_t i = 0; i < kEngineCount; ++i)
        clock[i] = std::max(clock[i], clockOf(e, waited)[i]);
  clock[self] = count;
  clocks[self].push_back(clock);
  for (const Access &access : accesses) {
    if (!isTracked(access))
      continue;
    // Whoever conflicts with a covered access conflicts with this one, which comes after it.
    std::erase_if(records[access.space], [&](const Record &old) {
      const bool isOwn = old.engine == engine && old.count == count;
      return !isOwn && (access.write || (!old.access.write && old.engine == engine)) &&
             covers(access, old.access);
    });
    records[access.space].push_back({access, engine, count});
  }
}

void Sequencer::add(Opcode op, Engine engine, decltype(Command::payload) payload, uint16_t layerTag,
                    std::span<const Access> accesses, uint16_t flags) {
  const Waits waits = waitsFor(engine, accesses);
  const uint64_t count = stream.add(op, engine, payload, layerTag, waits, flags);
  note(engine, count, waits, accesses);
}

void Sequencer::retire(uint32_t owner) {
  for (auto &space : records) {
    std::vector<Record> merged;
    std::erase_if(space, [&](const Record &record) {
      if (!record.access.grid || record.access.grid->owner != owner)
        return false;
      auto same = std::ranges::find_if(merged, [&](const Record &other) {
        return other.engine == record.engine && other.access.write == record.access.write;
      });
      if (same == merged.end()) {
        merged.push_back(record);
        merged.back().access.grid.reset();
        return true;
      }
      same->access.begin = std::min(same->access.begin, record.access.begin);
      same->access.end = std::max(same->access.end, record.access.end);
      same->count = std::max(same->count, record.count);
      return true;
    });
    space.insert(space.end(), merged.begin(), merged.end());
  }
}

} // namespace tenon::mortise
