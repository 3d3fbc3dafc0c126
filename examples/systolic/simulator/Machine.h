// SPDX-License-Identifier: Apache-2.0
// The simulated machine: checks a program of 64-byte records once, then runs it, counting cycles.
#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "Commands.h"

namespace systolic {

/// What the machine refuses or stops at; the text names the record.
struct Fault : std::runtime_error {
  Fault(uint32_t record, const char *reason);
};

/// Sizes of what addresses reach: regions as in `Address`, the last two with one edge.
struct Sizes {
  std::vector<uint64_t> inputs, outputs;
  uint64_t scratch = 0, constants = 0;
};

/// The same as memory; at least as long as the sizes.
struct Memory {
  std::vector<uint8_t *> inputs, outputs;
  uint8_t *scratch = nullptr;
  const uint8_t *constants = nullptr;
};

using Command = std::variant<Window, Load, Matmul, Depthwise, Requantise, Pool, Add, Move>;

struct Counters {
  uint64_t cycles = 0, macs = 0;
};

/// Reads records, which nobody vouches for; every access of the program they make lies within
/// \p sizes. Throws Fault.
std::vector<Command> readProgram(std::span<const uint8_t> records, const Sizes &sizes);

/// One array and its vector unit; programs run on it one after another.
class Machine {
public:
  Machine();
  Counters run(const std::vector<Command> &program, const Memory &memory);

private:
  uint8_t *at(Address address) const;
  const int8_t *valuesAt(Address address) const;
  template <typename Visit> void forTaps(uint32_t row, Visit visit) const;
  void gather(const Matmul &command, uint32_t row, int16_t *columns) const;

  void execute(const Window &command);
  void execute(const Load &command);
  void execute(const Matmul &command);
  void execute(const Depthwise &command);
  void execute(const Requantise &command);
  void execute(const Pool &command);
  void execute(const Add &command);
  void execute(const Move &command);

  const Memory *memory = nullptr;
  Counters counters;
  Window window{};
  int16_t weights[kLanes][kLanes] = {};
  std::vector<int32_t> accumulators; ///< [row][lane]
};

} // namespace systolic
