// SPDX-License-Identifier: Apache-2.0
// Calls the table's code functions, and joins what they wrote.
#pragma once
#include <tl/expected.hpp>

#include "backend/library/Program.h"
#include "support/Bytes.h"

namespace tenon::library {

/// What a call's debug and cost entries are made of.
struct CallNote {
  std::string composite; ///< "" for a copy
  std::vector<int64_t> operators;
  uint64_t macs = 0, cycles = 0;
};

struct EmittedCode {
  Program program;
  std::vector<CallNote> notes; ///< one a call
  Bytes constants;
};

/// A code function's no: operators to give back, and why.
struct EmitFailure {
  std::vector<int64_t> operators;
  backend::Refusal refusal;
};

/// Code of all steps of \p placed, in order, then the copies of outputs.
tl::expected<EmittedCode, EmitFailure> emitCode(const Npu &npu, const std::string &config,
                                                const PlacedFunction &placed);

/// \p program as package/tenon_call_stream.h says. Fails if a number does not fit.
Expected<Bytes> writeCallStream(const Program &program);

} // namespace tenon::library
