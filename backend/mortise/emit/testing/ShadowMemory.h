// SPDX-License-Identifier: Apache-2.0
// Memories that know, byte by byte, who touched them last, and so find races, for tests.
#pragma once
#include <map>

#include "hardware/mortise/Stream.h"

namespace tenon::mortise::testing {

using Clock = std::array<uint64_t, kEngineCount>;

/// A fault, as a device would raise it.
struct Fault {
  FaultCode code = FaultCode::NONE;
  std::string message;
};

/// One memory. The first fault is kept; bytes outside read 0.
class ShadowMemory {
public:
  ShadowMemory() = default;
  ShadowMemory(std::string name, Bytes bytes, bool writable, FaultCode outside)
      : data(std::move(bytes)), name(std::move(name)), writable(writable), outside(outside),
        marks(data.size()) {}

  /// The command that touches memory from now on, and what is complete when it starts.
  void begin(size_t engine, uint64_t count, const Clock &known) {
    self = engine, own = count, start = known;
  }

  uint8_t read(uint64_t at) {
    if (at >= data.size())
      return raise(outside, "read", at), uint8_t(0);
    Mark &mark = marks[at];
    checkWrite(mark, at);
    mark.reads[self] = uint32_t(own);
    return data[at];
  }

  void write(uint64_t at, uint8_t value) {
    if (at >= data.size())
      return raise(outside, "write", at);
    if (!writable)
      return raise(FaultCode::REGION_PERM, "write", at);
    Mark &mark = marks[at];
    checkWrite(mark, at);
    for (size_t e = 0; e < kEngineCount; ++e)
      if (e != self && mark.reads[e] > start[e])
        raise(FaultCode::HAZARD, "write after read", at);
    overlapping |= mark.writer == self && mark.write == own;
    mark.writer = uint8_t(self), mark.write = uint32_t(own);
    data[at] = value;
  }

  Bytes data;
  Fault fault;
  bool overlapping = false; ///< one command wrote a byte twice

private:
  struct Mark {
    std::array<uint32_t, kEngineCount> reads{};
    uint32_t write = 0;
    uint8_t writer = 0;
  };

  void checkWrite(const Mark &mark, uint64_t at) {
    if (mark.writer != self && mark.write > start[mark.writer])
      raise(FaultCode::HAZARD, "access after write", at);
  }
  void raise(FaultCode code, const char *what, uint64_t at) {
    if (fault.code == FaultCode::NONE)
      fault = {code, fmt::format("{} of {} at {}", what, name, at)};
  }

  std::string name;
  bool writable = true;
  FaultCode outside = FaultCode::SRAM_RANGE;
  std::vector<Mark> marks;
  size_t self = 0;
  uint64_t own = 0;
  Clock start{};
};

} // namespace tenon::mortise::testing
