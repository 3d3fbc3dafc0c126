// SPDX-License-Identifier: Apache-2.0
// Compiles a graph, carries the stream out and holds it against the layers' own words, for tests.
#pragma once
#include "backend/mortise/emit/CompileLayers.h"
#include "backend/mortise/emit/testing/RandomGraph.h"
#include "backend/mortise/emit/testing/StreamInterpreter.h"

namespace tenon::mortise::testing {

/// The tiny machine with \p sramBytes of SRAM, so that small layers need many tiles.
Config smallMachine(uint32_t sramBytes);

/// A job for \p partition with random inputs of \p graph.
Job jobOf(const LayerGraph &graph, const EmittedPartition &partition, uint32_t seed);

/// Empty, or what went wrong: a refusal, a fault, or the first output byte that differs.
std::string runAndCompare(const LayerGraph &graph, const Config &config, uint32_t seed,
                          const CompileOptions &options = {});

/// Empty, or the first output byte of \p job, which has run, that differs from the layers' words.
std::string compareOutputs(const LayerGraph &graph, const Job &job);

} // namespace tenon::mortise::testing
