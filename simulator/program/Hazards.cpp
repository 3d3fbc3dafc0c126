// SPDX-License-Identifier: Apache-2.0
// Vector clocks over the memories' bytes, as many bytes at a time as all accesses let be told
// apart.
#include "simulator/program/Hazards.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <unordered_map>

namespace tenon::simulator {
namespace {

using namespace mortise;

/// The command processor's own writes count as an engine's.
constexpr size_t kWriters = kEngineCount + 1;
using Clock = std::array<uint32_t, kWriters>;

/// Who touched some bytes last: numbers of commands by engine, 0 for nobody.
struct Mark {
  Clock reads{};
  uint32_t write = 0;
  uint8_t writer = 0;
};

/// The marks of one memory, made where something is touched.
class Shadow {
public:
  explicit Shadow(uint32_t granuleShift) : shift(granuleShift) {}

  Mark &at(uint64_t byte) {
    const uint64_t granule = byte >> shift, number = granule / kPage;
    if (number != pageNumber || !page) {
      std::unique_ptr<Page> &place = pages[number];
      if (!place)
        place = std::make_unique<Page>();
      page = place.get(), pageNumber = number;
    }
    return (*page)[granule % kPage];
  }
  uint64_t granuleBytes() const { return uint64_t(1) << shift; }

private:
  static constexpr uint64_t kPage = 1024;
  using Page = std::array<Mark, kPage>;
  uint32_t shift;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  Page *page = nullptr;
  uint64_t pageNumber = 0;
};

/// The largest power of two that divides every figure of every touch, by space; and whether there
/// is a write that something else, or the command's own operand, could meet.
struct SpaceUse {
  uint64_t bits = uint64_t(1) << 12;
  uint32_t engines = 0;
  bool written = false;
  bool canRace() const {
    constexpr uint32_t kReadAndWrite = 1u << uint32_t(Engine::MAC) | 1u << uint32_t(Engine::VEC);
    return written && (std::popcount(engines) > 1 || engines & kReadAndWrite);
  }
};

std::array<SpaceUse, kSpaces> useOf(std::span<const OrderedCommand> commands) {
  std::array<SpaceUse, kSpaces> uses;
  for (const OrderedCommand &command : commands)
    for (const Touch &touch : command.touches) {
      SpaceUse &use = uses[touch.space];
      use.bits |= touch.begin | touch.run | touch.stride[0] | touch.stride[1] | touch.stride[2];
      use.engines |= 1u << uint32_t(command.engine);
      use.written |= touch.write;
    }
  return uses;
}

class Checker {
public:
  explicit Checker(std::span<const OrderedCommand> commands) : commands(commands) {
    for (const SpaceUse &use : useOf(commands)) {
      races.push_back(use.canRace());
      shadows.emplace_back(uint32_t(std::countr_zero(use.bits)));
    }
  }

  std::optional<Race> run() {
    for (size_t index = 0; index < commands.size(); ++index) {
      const OrderedCommand &command = commands[index];
      begin(command);
      for (const Touch &touch : command.touches)
        if (races[touch.space])
          if (auto finding = apply(touch))
            return Race{index, *finding};
    }
    return std::nullopt;
  }

private:
  std::span<const OrderedCommand> commands;
  std::vector<bool> races;
  std::vector<Shadow> shadows;
  std::array<std::vector<Clock>, kWriters> clocks; ///< what is complete when command n is
  Clock floor{};                                   ///< complete before anything dispatched from now
  size_t self = 0;
  Clock start{};
  uint32_t own = 0;

  static void join(Clock &clock, const Clock &other) {
    for (size_t e = 0; e < kWriters; ++e)
      clock[e] = std::max(clock[e], other[e]);
  }

  void begin(const OrderedCommand &command) {
    self = size_t(command.engine);
    start = clocks[self].empty() ? Clock{} : clocks[self].back();
    join(start, floor);
    for (size_t e = 0; e < kEngineCount; ++e)
      if (const uint64_t waited = command.barrier ? clocks[e].size() : command.waits[e])
        join(start, clocks[e][std::min<uint64_t>(waited, clocks[e].size()) - 1]);
    own = uint32_t(clocks[self].size() + 1);
    Clock done = start;
    done[self] = own;
    clocks[self].push_back(done);
    if (command.engine == Engine::CP)
      floor = done; // the command processor holds dispatch meanwhile
  }

  std::optional<Finding> apply(const Touch &touch) {
    Shadow &shadow = shadows[touch.space];
    for (uint64_t k = 0; k < touch.count[2]; ++k)
      for (uint64_t j = 0; j < touch.count[1]; ++j)
        for (uint64_t i = 0; i < touch.count[0]; ++i) {
          const uint64_t from =
              touch.begin + i * touch.stride[0] + j * touch.stride[1] + k * touch.stride[2];
          for (uint64_t at = from; at < from + touch.run; at += shadow.granuleBytes())
            if (auto finding =
                    touch.write ? write(shadow.at(at), touch, at) : read(shadow.at(at), touch, at))
              return finding;
        }
    return std::nullopt;
  }

  std::optional<Finding> read(Mark &mark, const Touch &touch, uint64_t at) {
    if (mark.write > start[mark.writer] && mark.writer != self)
      return raise(touch, at, "reads what", mark.writer, mark.write, "writes");
    mark.reads[self] = own;
    return std::nullopt;
  }

  std::optional<Finding> write(Mark &mark, const Touch &touch, uint64_t at) {
    if (mark.write > start[mark.writer] && mark.writer != self)
      return raise(touch, at, "writes what", mark.writer, mark.write, "writes");
    for (size_t e = 0; e < kWriters; ++e)
      if (e != self && mark.reads[e] > start[e])
        return raise(touch, at, "writes what", uint8_t(e), mark.reads[e], "reads");
    if (mark.reads[self] == own)
      return Finding{FaultCode::HAZARD, at,
                     "an operand overlaps the output otherwise than element by element"};
    mark.writer = uint8_t(self), mark.write = own;
    return std::nullopt;
  }

  Finding raise(const Touch &touch, uint64_t at, const char *what, uint8_t other, uint32_t number,
                const char *does) const {
    return {
        FaultCode::HAZARD, at,
        fmt::format("{} {} command {} {}, at byte {} of {}; nothing orders the two", what,
                    nameOf(Engine(other)), number, does, at,
                    touch.space == kSramSpace ? "SRAM" : fmt::format("region {}", touch.space))};
  }
};

} // namespace

std::optional<Race> findRace(std::span<const OrderedCommand> commands) {
  return Checker(commands).run();
}

} // namespace tenon::simulator
