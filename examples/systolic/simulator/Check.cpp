// SPDX-License-Identifier: Apache-2.0
// Reads and checks a program: records in, commands out that reach nothing outside their memories.
#include <cstring>
#include <string>

#include "Machine.h"

namespace systolic {
namespace {

enum Region { Input, Output, Scratch, Constants };

class Reader {
public:
  explicit Reader(const Sizes &sizes) : sizes(sizes) {}

  std::vector<Command> run(std::span<const uint8_t> records) {
    require(records.size() % kRecordBytes == 0, "the commands break off");
    std::vector<Command> program;
    for (; !records.empty(); records = records.subspan(kRecordBytes), ++index)
      program.push_back(read(records.first(kRecordBytes)));
    return program;
  }

private:
  void require(bool holds, const char *otherwise) const {
    if (!holds)
      throw Fault(index, otherwise);
  }

  Command read(std::span<const uint8_t> record) {
    Opcode opcode;
    std::memcpy(&opcode, record.data(), sizeof(opcode));
    switch (opcode) {
    case Opcode::Window:
      return checked<Window>(record);
    case Opcode::Load:
      return checked<Load>(record);
    case Opcode::Matmul:
      return checked<Matmul>(record);
    case Opcode::Depthwise:
      return checked<Depthwise>(record);
    case Opcode::Requantise:
      return checked<Requantise>(record);
    case Opcode::Pool:
      return checked<Pool>(record);
    case Opcode::Add:
      return checked<Add>(record);
    case Opcode::Move:
      return checked<Move>(record);
    }
    throw Fault(index, "there is no such command");
  }

  template <typename T> T checked(std::span<const uint8_t> record) {
    T command;
    std::memcpy(&command, record.data(), sizeof(T));
    check(command);
    return command;
  }

  uint64_t sizeOf(Address address) const {
    const uint32_t region = uint32_t(address >> 60), edge = uint32_t(address >> 48) & kMaxEdge;
    const auto edgeOf = [&](const auto &edges) { return edge < edges.size() ? edges[edge] : 0; };
    return region == Input       ? edgeOf(sizes.inputs)
           : region == Output    ? edgeOf(sizes.outputs)
           : edge != 0           ? 0
           : region == Scratch   ? sizes.scratch
           : region == Constants ? sizes.constants
                                 : 0;
  }
  void checkRead(Address address, uint64_t bytes) const {
    const uint64_t size = sizeOf(address), offset = address & kMaxOffset;
    require(offset <= size && bytes <= size - offset, "an address is outside its memory");
  }
  void checkWrite(Address address, uint64_t bytes) const {
    const uint64_t region = address >> 60;
    require(region == Output || region == Scratch, "a command writes what is read only");
    checkRead(address, bytes);
  }

  /// The product of positive extents, below 2^31.
  uint64_t product(std::initializer_list<int64_t> extents) const {
    uint64_t all = 1;
    for (const int64_t extent : extents) {
      require(extent > 0 && extent < int64_t(1) << 31, "an extent is out of range");
      all *= uint64_t(extent);
      require(all < uint64_t(1) << 31, "an extent is out of range");
    }
    return all;
  }

  void check(const Window &w) {
    inputBytes = product({w.samples, w.inH, w.inW, w.inC});
    outputBytes = product({w.samples, w.outH, w.outW, w.outC});
    rows = product({w.samples, w.outH, w.outW});
    columns = product({w.kernelH, w.kernelW, w.inC});
    product({w.strideH, w.strideW});
    product({w.dilationH, w.dilationW});
    require(w.padTop >= 0 && w.padLeft >= 0, "padding is negative");
    window = w;
  }
  void checkRows(uint32_t firstRow, uint32_t count) const {
    require(inputBytes != 0, "a window is missing");
    require(count <= kRows && firstRow <= rows && count <= rows - firstRow,
            "rows are outside the output or the accumulators");
  }
  void check(const Load &c) const { checkRead(c.tile, kTileBytes); }
  void check(const Matmul &c) const {
    checkRows(c.firstRow, c.rows);
    require(c.firstColumn < columns, "columns are outside the window");
    checkRead(c.input, inputBytes);
  }
  void check(const Depthwise &c) const {
    checkRows(c.firstRow, c.rows);
    require(window.inC == window.outC && c.firstChannel < uint32_t(window.inC),
            "channels are outside the tensor");
    checkRead(c.input, inputBytes);
    checkRead(c.weights, tapsOf(window) * kLanes);
  }
  void check(const Requantise &c) const {
    checkRows(c.firstRow, c.rows);
    require(c.firstChannel < uint32_t(window.outC), "channels are outside the tensor");
    checkRead(c.lanes, kLanes * sizeof(Lane));
    checkWrite(c.output, outputBytes);
  }
  void check(const Pool &c) const {
    require(inputBytes != 0, "a window is missing");
    require(window.inC == window.outC, "channels are outside the tensor");
    require(c.average == 0 || tapsOf(window) <= kMaxAverage, "an average has too many elements");
    checkRead(c.input, inputBytes);
    checkWrite(c.output, outputBytes);
  }
  void check(const Add &c) const {
    checkRead(c.a, c.elements);
    checkRead(c.b, c.elements);
    checkWrite(c.output, c.elements);
    for (const int8_t shift : c.shift)
      require(shift >= 1 && shift <= 62, "a shift is out of range");
    for (const int8_t shift : c.leftShift)
      require(shift >= 0 && shift <= 22, "a shift is out of range");
  }
  void check(const Move &c) const {
    checkRead(c.input, c.bytes);
    checkWrite(c.output, c.bytes);
  }

  const Sizes &sizes;
  uint32_t index = 0;
  Window window{};
  uint64_t inputBytes = 0, outputBytes = 0, rows = 0, columns = 0;
};

} // namespace

Fault::Fault(uint32_t record, const char *reason)
    : std::runtime_error("record " + std::to_string(record) + ": " + reason) {}

std::vector<Command> readProgram(std::span<const uint8_t> records, const Sizes &sizes) {
  return Reader(sizes).run(records);
}

} // namespace systolic
