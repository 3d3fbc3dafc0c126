// SPDX-License-Identifier: Apache-2.0
// The simulated machine on programs worked by hand, and what it refuses; exit 1 names what fails.
#include <cstdio>
#include <cstring>

#include "Machine.h"

namespace {

using namespace systolic;

int failures = 0;

void expect(bool holds, const char *what) {
  if (!holds)
    std::printf("wrong: %s\n", what), ++failures;
}

template <typename T> void put(std::vector<uint8_t> &records, const T &command) {
  records.resize(records.size() + kRecordBytes);
  std::memcpy(&records[records.size() - kRecordBytes], &command, sizeof(T));
}

constexpr Address output(uint64_t offset) { return uint64_t(1) << 60 | offset; }
constexpr Address constants(uint64_t offset) { return uint64_t(3) << 60 | offset; }

/// Two rows of two columns by [1 2; 3 4], zero point 1, scaled by 1/2, plus bias.
struct Product {
  Window window{.samples = 2,
                .inH = 1,
                .inW = 1,
                .inC = 2,
                .outH = 1,
                .outW = 1,
                .outC = 2,
                .kernelH = 1,
                .kernelW = 1,
                .strideH = 1,
                .strideW = 1,
                .dilationH = 1,
                .dilationW = 1,
                .padTop = 0,
                .padLeft = 0,
                .inputZeroPoint = 1,
                .weightZeroPoint = 0};
  Load load{.reserved = 0, .tile = constants(0)};
  Matmul matmul{
      .accumulate = 0, .firstRow = 0, .rows = 2, .firstColumn = 0, .reserved = 0, .input = 0};
  Requantise requantise{.firstChannel = 0,
                        .firstRow = 0,
                        .rows = 2,
                        .zeroPoint = -3,
                        .low = -128,
                        .high = 20,
                        .doubleRounding = 1,
                        .lanes = constants(kTileBytes),
                        .output = output(0)};
  Sizes sizes{{4}, {4}, 0, kTileBytes + kLanes * sizeof(Lane)};

  std::vector<Command> read() const {
    std::vector<uint8_t> records;
    put(records, window), put(records, load), put(records, matmul), put(records, requantise);
    return readProgram(records, sizes);
  }
};

void testProduct() {
  uint8_t in[4] = {2, 3, 11, 6}, out[4] = {}; // less the zero point: 1 2, 10 5
  std::vector<uint8_t> held(kTileBytes + kLanes * sizeof(Lane));
  held[0] = 1, held[1] = 2, held[kLanes] = 3, held[kLanes + 1] = 4;
  Lane lanes[kLanes];
  for (Lane &lane : lanes)
    lane = {5, 1 << 30, 31};
  std::memcpy(&held[kTileBytes], lanes, sizeof(lanes));
  Machine machine;
  const Counters counted = machine.run(Product{}.read(), {{in}, {out}, nullptr, held.data()});
  // Sums 7 10, 25 40; with bias 12 15, 30 45; halves 6 8, 15 23 (up); less 3; at most 20.
  expect(out[0] == 3 && out[1] == 5 && out[2] == 12 && out[3] == 20, "a product's values");
  expect(counted.cycles == 16 + (2 + 31) + 2, "a product's cycles");
  expect(counted.macs == 2 * 256, "a product's multiplications");
}

/// Changes a program by \p change, which must make reading fail with \p reason.
template <typename Change> void expectFault(Change change, const char *reason) {
  Product product;
  change(product);
  try {
    product.read();
    expect(false, reason);
  } catch (const Fault &fault) {
    expect(std::strstr(fault.what(), reason) != nullptr, fault.what());
  }
}

void testFaults() {
  const char *outside = "an address is outside its memory";
  expectFault([](Product &p) { p.sizes.inputs[0] = 3; }, outside);
  expectFault([](Product &p) { p.sizes.outputs[0] = 3; }, outside);
  expectFault([](Product &p) { p.sizes.constants -= 1; }, outside);
  expectFault([](Product &p) { p.matmul.input = uint64_t(1) << 48; }, outside);
  expectFault([](Product &p) { p.load.tile = uint64_t(9) << 60; }, outside);
  expectFault([](Product &p) { p.requantise.output = constants(0); }, "what is read only");
  expectFault([](Product &p) { p.matmul.rows = 3; }, "rows are outside");
  expectFault([](Product &p) { p.matmul.firstRow = 1; }, "rows are outside");
  expectFault([](Product &p) { p.matmul.firstColumn = 2; }, "columns are outside");
  expectFault([](Product &p) { p.requantise.firstChannel = 2; }, "channels are outside");
  expectFault([](Product &p) { p.requantise.lanes += 1; }, outside);
  expectFault([](Product &p) { p.window.strideH = 0; }, "an extent is out of range");
  expectFault([](Product &p) { p.window.samples = INT32_MAX; }, "an extent is out of range");
  expectFault([](Product &p) { p.window.opcode = Opcode(99); }, "there is no such command");
  expectFault([](Product &p) { p.window.opcode = Opcode::Load; }, outside);
  const auto withoutWindow = [](Product &p) {
    p.window.opcode = Opcode::Load, p.window.inH = p.window.inW = 0, p.sizes.inputs[0] = kTileBytes;
  };
  expectFault(withoutWindow, "a window is missing");
}

} // namespace

int main() {
  testProduct();
  testFaults();
  return failures == 0 ? 0 : 1;
}
