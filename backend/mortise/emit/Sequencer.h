// SPDX-License-Identifier: Apache-2.0
// Appends commands and finds the waits each one needs from the bytes it touches.
#pragma once
#include <optional>
#include <span>

#include "backend/mortise/plan/Geometry.h"
#include "hardware/mortise/Stream.h"

namespace tenon::mortise {

/// A memory of its own: a DRAM region by number, or SRAM.
inline constexpr uint8_t kSramSpace = 255;

/// A part of a dense tensor; two of one grid overlap as their boxes do.
struct GridBox {
  uint32_t owner = 0; ///< tensor whose bytes these are
  Dims extents{};
  Box box{};
};

/// Bytes that a command reads or writes.
struct Access {
  uint8_t space = kSramSpace;
  uint64_t begin = 0, end = 0;
  bool write = false;
  std::optional<GridBox> grid; ///< DRAM: which of the bytes between begin and end
};

/// Two accesses that overlap, one a write, are ordered: by their engine's queue, by waits of
/// commands between them, or by a wait. A wait that the others already imply is left out.
class Sequencer {
public:
  /// Appends a command of an engine that has a queue. Program order is the order of accesses.
  void add(Opcode op, Engine engine, decltype(Command::payload) payload, uint16_t layerTag,
           std::span<const Access> accesses, uint16_t flags = 0);

  /// Nobody reads \p owner any more: what is known of its accesses may be kept coarsely.
  void retire(uint32_t owner);

  StreamBuilder stream;

private:
  /// Commands of each engine known to be complete when a command starts, itself then included.
  using Clock = std::array<uint64_t, kEngineCount>;

  struct Record {
    Access access;
    Engine engine;
    uint64_t count;
  };

  Waits waitsFor(Engine engine, std::span<const Access> accesses) const;
  void note(Engine engine, uint64_t count, const Waits &waits, std::span<const Access> accesses);
  const Clock &clockOf(size_t engine, uint64_t count) const { return clocks[engine][count - 1]; }

  std::vector<Record> records[256]; ///< by space
  std::array<std::vector<Clock>, kEngineCount> clocks;
};

} // namespace tenon::mortise
