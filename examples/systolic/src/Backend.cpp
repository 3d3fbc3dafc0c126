// SPDX-License-Identifier: Apache-2.0
// The compiler side: what the machine takes, and the commands for it.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "Commands.h"
#include "backend/library/Npu.h"

namespace {

using namespace tenon::library;

int16_t narrow(int64_t number) { return int16_t(number); }
int32_t word(int64_t number) { return int32_t(number); }
uint32_t tiles(int64_t extent) { return uint32_t(systolic::lanesOf(uint64_t(extent))); }

systolic::Address addressOf(const Place &place) {
  if (place.edge > systolic::kMaxEdge || place.offset > systolic::kMaxOffset)
    throw std::length_error("a tensor lies where no address reaches");
  return uint64_t(place.region) << 60 | uint64_t(place.edge) << 48 | place.offset;
}

template <typename T> void appendRecord(std::vector<uint8_t> &bytes, const T &command) {
  static_assert(std::has_unique_object_representations_v<T> && sizeof(T) <= systolic::kRecordBytes);
  const size_t start = bytes.size();
  bytes.resize(start + systolic::kRecordBytes);
  std::memcpy(&bytes[start], &command, sizeof(T));
}

/// Puts the commands of one call and counts their cycles.
class Writer {
public:
  explicit Writer(Emitter &emit) : emit(emit) {}

  void put(const systolic::Window &command) {
    window = command;
    append(command);
  }
  template <typename T> void put(const T &command) {
    if constexpr (requires { cyclesOf(command, window); })
      cycles += cyclesOf(command, window);
    else
      cycles += cyclesOf(command);
    append(command);
  }
  void finish() {
    emit.put(std::span<const uint8_t>(bytes));
    emit.setCycles(cycles);
  }

  Emitter &emit;

private:
  template <typename T> void append(const T &command) { appendRecord(bytes, command); }

  systolic::Window window{};
  uint64_t cycles = 0;
  std::vector<uint8_t> bytes;
};

/// Of a convolution or a pooling.
template <typename View> systolic::Window windowOf(const View &view) {
  systolic::Window w{};
  w.samples = word(view.in.n);
  w.inH = word(view.in.h), w.inW = word(view.in.w), w.inC = word(view.in.c);
  w.outH = word(view.out.h), w.outW = word(view.out.w), w.outC = word(view.out.c);
  w.kernelH = narrow(view.kernel.h), w.kernelW = narrow(view.kernel.w);
  w.strideH = narrow(view.stride.h), w.strideW = narrow(view.stride.w);
  w.dilationH = w.dilationW = 1;
  w.padTop = narrow(view.padding.top), w.padLeft = narrow(view.padding.left);
  return w;
}

systolic::Window windowOf(const Convolution &conv) {
  systolic::Window w = windowOf<Convolution>(conv);
  w.dilationH = narrow(conv.dilation.h), w.dilationW = narrow(conv.dilation.w);
  w.inputZeroPoint = narrow(conv.inputZeroPoint), w.weightZeroPoint = narrow(conv.weightZeroPoint);
  return w;
}

/// Calls \p visit(first row, rows) for parts that fit the accumulators.
template <typename Visit> void forRows(const Extents &out, Visit visit) {
  const int64_t all = out.n * out.h * out.w;
  for (int64_t first = 0; first < all; first += systolic::kRows)
    visit(uint32_t(first), uint32_t(std::min<int64_t>(systolic::kRows, all - first)));
}

/// Weights of 16 columns and 16 output channels; what is beyond is the zero point, which adds 0.
std::vector<int8_t> weightTile(const Convolution &conv, int64_t columns, int64_t firstColumn,
                               int64_t firstChannel) {
  std::vector<int8_t> tile(systolic::kTileBytes, int8_t(conv.weightZeroPoint));
  for (int64_t k = 0; k < systolic::kLanes && firstColumn + k < columns; ++k)
    for (int64_t n = 0; n < systolic::kLanes && firstChannel + n < conv.out.c; ++n)
      tile[size_t(k * systolic::kLanes + n)] =
          conv.weights[size_t((firstChannel + n) * columns + firstColumn + k)];
  return tile;
}

/// [tap][lane] of 16 channels.
std::vector<int8_t> depthwiseTile(const Convolution &conv, int64_t firstChannel) {
  const int64_t taps = conv.kernel.h * conv.kernel.w;
  std::vector<int8_t> tile(size_t(taps * systolic::kLanes), int8_t(conv.weightZeroPoint));
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t n = 0; n < systolic::kLanes && firstChannel + n < conv.out.c; ++n)
      tile[size_t(tap * systolic::kLanes + n)] =
          conv.weights[size_t(tap * conv.out.c + firstChannel + n)];
  return tile;
}

Place lanesOf(const Convolution &conv, uint32_t firstChannel, Emitter &emit) {
  std::vector<systolic::Lane> lanes(systolic::kLanes, systolic::Lane{0, 0, 1});
  for (uint32_t n = 0; n < systolic::kLanes && firstChannel + n < conv.out.c; ++n)
    lanes[n] = {conv.bias[firstChannel + n], conv.requantise.multipliers[firstChannel + n],
                conv.requantise.shifts[firstChannel + n]};
  return emit.constant(lanes);
}

systolic::Requantise requantiseOf(const Convolution &conv, uint32_t firstChannel,
                                  const Place &lanes) {
  const Requantise &how = conv.requantise;
  return {.firstChannel = firstChannel,
          .firstRow = 0,
          .rows = 0,
          .zeroPoint = how.zeroPoint,
          .low = how.low,
          .high = how.high,
          .doubleRounding = how.doubleRounding,
          .lanes = addressOf(lanes),
          .output = addressOf(conv.output.place)};
}

/// Tiles of 16 columns over the array, then the vector unit: for each 16 output channels.
void writeConvolution(const Convolution &conv, Emitter &emit) {
  Writer writer(emit);
  writer.put(windowOf(conv));
  const int64_t columns = conv.kernel.h * conv.kernel.w * conv.in.c;
  const systolic::Address input = addressOf(conv.input.place);
  for (uint32_t channel = 0; channel < conv.out.c; channel += systolic::kLanes) {
    std::vector<systolic::Address> weights;
    for (uint32_t k = 0; k < tiles(columns); ++k)
      weights.push_back(addressOf(
          emit.constant(weightTile(conv, columns, int64_t(k) * systolic::kLanes, channel))));
    systolic::Requantise requantise = requantiseOf(conv, channel, lanesOf(conv, channel, emit));
    forRows(conv.out, [&](uint32_t firstRow, uint32_t rows) {
      for (uint32_t k = 0; k < weights.size(); ++k) {
        writer.put(systolic::Load{.reserved = 0, .tile = weights[k]});
        writer.put(systolic::Matmul{.accumulate = k > 0,
                                    .firstRow = firstRow,
                                    .rows = rows,
                                    .firstColumn = k * systolic::kLanes,
                                    .reserved = 0,
                                    .input = input});
      }
      requantise.firstRow = firstRow, requantise.rows = rows;
      writer.put(requantise);
    });
  }
  writer.finish();
}

void writeDepthwise(const Convolution &conv, Emitter &emit) {
  Writer writer(emit);
  writer.put(windowOf(conv));
  for (uint32_t channel = 0; channel < conv.out.c; channel += systolic::kLanes) {
    const systolic::Address weights = addressOf(emit.constant(depthwiseTile(conv, channel)));
    systolic::Requantise requantise = requantiseOf(conv, channel, lanesOf(conv, channel, emit));
    forRows(conv.out, [&](uint32_t firstRow, uint32_t rows) {
      writer.put(systolic::Depthwise{.firstChannel = channel,
                                     .firstRow = firstRow,
                                     .rows = rows,
                                     .input = addressOf(conv.input.place),
                                     .weights = weights});
      requantise.firstRow = firstRow, requantise.rows = rows;
      writer.put(requantise);
    });
  }
  writer.finish();
}

void writePool(const Pooling &pool, Emitter &emit) {
  Writer writer(emit);
  writer.put(windowOf(pool));
  writer.put(systolic::Pool{.average = pool.average,
                            .offset = pool.averageOffset,
                            .low = pool.low,
                            .high = pool.high,
                            .reserved = 0,
                            .input = addressOf(pool.input.place),
                            .output = addressOf(pool.output.place)});
  writer.finish();
}

int8_t small(int32_t number) { return int8_t(number); }

void writeAdd(const Addition &add, Emitter &emit) {
  Writer writer(emit);
  writer.put(systolic::Add{
      .elements = uint32_t(add.output.place.bytes),
      .a = addressOf(add.a.place),
      .b = addressOf(add.b.place),
      .output = addressOf(add.output.place),
      .multiplier = {add.aScale.multiplier, add.bScale.multiplier, add.outputScale.multiplier},
      .shift = {small(add.aScale.shift), small(add.bScale.shift), small(add.outputScale.shift)},
      .leftShift = {small(add.aLeftShift), small(add.bLeftShift)},
      .zeroPoint = {small(add.aZeroPoint), small(add.bZeroPoint), small(add.outputZeroPoint)},
      .low = small(add.low),
      .high = small(add.high),
      .subtract = add.subtract,
      .doubleRounding = add.doubleRounding});
  writer.finish();
}

systolic::Move moveOf(const Place &from, const Place &to, uint32_t flip) {
  return {.flip = flip, .input = addressOf(from), .output = addressOf(to), .bytes = to.bytes};
}

void writeSignFlip(const SignFlip &flip, Emitter &emit) {
  Writer writer(emit);
  writer.put(moveOf(flip.input.place, flip.output.place, 0x80));
  writer.finish();
}

/// A partition is its calls' records, one after another.
std::vector<uint8_t> link(const Program &program) {
  std::vector<uint8_t> records;
  for (const ProgramCall &call : program.calls)
    if (call.composite.empty())
      appendRecord(records, moveOf(call.operands[0], call.operands[1], 0));
    else
      records.insert(records.end(), call.bytes.begin(), call.bytes.end());
  return records;
}

/// What the fields of a record hold.
std::vector<Composite> composites() {
  const std::vector<Limit> windows = {between("kernel", 1, 255), between("stride", 1, 255),
                                      between("padding", 0, 255)};
  std::vector<Limit> convolutions = windows;
  convolutions.push_back(between("dilation", 1, 255));
  std::vector<Limit> depthwise = convolutions;
  depthwise.push_back(oneOf("channel_multiplier", {1}));
  std::vector<Limit> averages = windows;
  averages.push_back(atMost("window", systolic::kMaxAverage));
  std::vector<Composite> rows = {
      {"conv2d", Operator::Conv2d, convolutions, writeConvolution},
      {"depthwise", Operator::DepthwiseConv2d, depthwise, writeDepthwise},
      {"fully_connected", Operator::FullyConnected, {}, writeConvolution},
      {"add", Operator::Add, {atMost("elements", INT32_MAX)}, writeAdd},
      {"average_pool", Operator::AveragePool2d, averages, writePool},
      {"max_pool", Operator::MaxPool2d, windows, writePool},
      {"reshape", Operator::Reshape},
      {"sign_flip", Operator::SignFlip, {}, writeSignFlip},
  };
  rows[0].fusePad = rows[1].fusePad = true;
  return rows;
}

const Npu &npu() {
  static const Npu table = [] {
    Npu made;
    made.name = "systolic";
    made.summary = "a 16 x 16 weight-stationary systolic array with a vector unit";
    made.commandVersion = systolic::kCommandVersion;
    // At 1 GHz 256 products a cycle; a word of 16 bytes.
    made.speed = {/*macsPerNs=*/256, /*bytesPerNs=*/16, /*launchNs=*/1000};
    made.composites = composites();
    made.link = link;
    return made;
  }();
  return table;
}

} // namespace

TENON_NPU(npu)
