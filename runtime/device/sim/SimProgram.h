// SPDX-License-Identifier: Apache-2.0
// A partition loaded into a simulated machine of its own.
#pragma once
#include <memory>

#include "hardware/mortise/EdgeLayout.h"
#include "runtime/device/tenon_device.h"
#include "simulator/Machine.h"

namespace tenon::runtime {

/// One edge of the partition, inputs or outputs, as the job's region.
class EdgeRegion {
public:
  explicit EdgeRegion(std::span<const uint64_t> sizes);

  uint64_t sizeBytes() const { return layout.sizeBytes; }
  /// The region's memory for a run with \p buffers: the caller's own if there is one tensor, else
  /// memory of this object, which copyIn and copyOut keep equal to theirs.
  uint8_t *memory(const tenon_device_buffer *buffers);
  void copyIn(const tenon_device_buffer *buffers);
  void copyOut(const tenon_device_buffer *buffers) const;
  /// Whether \p buffers have the sizes that the region was made for.
  bool fits(const tenon_device_buffer *buffers) const;

private:
  mortise::EdgeLayout layout;
  std::vector<uint64_t> sizes;
  Bytes gathered; ///< empty if the region is the caller's buffer
};

/// What tenon_device_program is here. One thread at a time.
class SimProgram {
public:
  /// Reads \p code, whose memory outlives the program. Fails if its version, configuration or
  /// scratch size cannot be served. A stream that faults loads: its fault is every run's result,
  /// as on a chip, which learns of it only when it runs.
  static Expected<std::unique_ptr<SimProgram>> load(const tenon_device_code &code);

  /// The fault of the stream, if it has one; nothing ran then.
  const std::optional<simulator::Fault> &fault() const { return program.fault(); }
  const timing::Timeline &timeline() const { return program.timeline(); }
  /// Runs once. Fails if a buffer has another size than the partition's tensor.
  Expected<void> run(const tenon_device_buffer *inputs, const tenon_device_buffer *outputs);

private:
  SimProgram(const tenon_device_code &code, const mortise::Config &config);

  ByteSpan commands, constants;
  EdgeRegion inputs, outputs;
  Bytes scratch;
  simulator::Machine machine;
  simulator::Program program;
};

} // namespace tenon::runtime
