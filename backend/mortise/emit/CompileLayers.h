// SPDX-License-Identifier: Apache-2.0
// A partition's layers become a command stream: plan, place, emit.
#pragma once
#include <tl/expected.hpp>

#include "backend/mortise/plan/Plan.h"
#include "package/Package.h"

namespace tenon::mortise {

struct CompileOptions {
  /// Layers that hand rows on in SRAM; refused, not left out, where they cannot. Default: none.
  std::vector<Cascade> cascades;
};

/// What a package stores of a partition. Regions of its job: 0 the commands, 1 the constants,
/// 2 scratch of `scratchBytes`, 3 inputs and 4 outputs by EdgeLayout; the outputs must be
/// readable too.
struct EmittedPartition {
  Bytes commands, constants;
  uint64_t scratchBytes = 0;
  std::vector<package::DebugEntry> debug; ///< by first command; a cascade's layers take turns
  std::vector<package::CostEntry> costs;  ///< by layer; cycles sum up to the stream's
};

/// The layer that cannot be placed, so that its operators can be given back.
struct LayerFailure {
  uint32_t layer = 0;
  std::vector<int64_t> operators; ///< model operator indices
  std::string message; ///< "its smallest tile needs 81920 bytes of SRAM, 65536 are there"
  uint64_t value = 0, limit = 0;
};

/// Compiles \p graph for the machine \p config. Layer i has tag i + 1. The same arguments give the
/// same bytes.
tl::expected<EmittedPartition, LayerFailure>
compileLayers(const LayerGraph &graph, const Config &config, const CompileOptions &options = {});

} // namespace tenon::mortise
