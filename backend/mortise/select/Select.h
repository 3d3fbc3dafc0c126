// SPDX-License-Identifier: Apache-2.0
// A function of composites becomes layers.
#pragma once
#include <tl/expected.hpp>

#include "backend/api/Refusal.h"
#include "backend/mortise/layers/LayerGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::mortise {

/// Why a function has no layers: operators to give back (empty: all), and the reason.
struct SelectFailure {
  std::vector<int64_t> operators;
  backend::Refusal refusal;
};

/// The layers of \p function, whose body holds composites that this backend's patterns made.
tl::expected<LayerGraph, SelectFailure> select(mlir::func::FuncOp function);

} // namespace tenon::mortise
