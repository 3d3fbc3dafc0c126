// SPDX-License-Identifier: Apache-2.0
// A table whose code function declines, for a rule of its own, what the table claims.
#include "backend/library/Npu.h"

namespace {

using namespace tenon::library;

void writePool(const Pooling &pool, Emitter &emit) {
  if (pool.stride.h == 4)
    emit.refuse("steps", "stride 4 of rows is odd", "4", "3", "use stride 3");
}

const Npu &npu() {
  static const Npu table = {
      .name = "whole",
      .summary = "refuses what it claims",
      .commandVersion = 3,
      .composites = {{"max_pool", Operator::MaxPool2d, {atMost("stride", 4)}, writePool}}};
  return table;
}

} // namespace

TENON_NPU(npu)
