// SPDX-License-Identifier: Apache-2.0
// Two tensors of one name, bit against bit.
#pragma once
#include "tools/tenon/Array.h"

namespace tenon::cli {

/// How far two tensors are apart.
struct Difference {
  uint64_t elements = 0;  ///< compared
  uint64_t different = 0; ///< elements whose bits differ
  double largest = 0;     ///< largest distance of two values; NaN differing counts as infinity
  size_t first = 0;       ///< index of the first that differs
};

/// Compares element by element. Shapes may differ in dimensions of 1. An int8 tensor meets a
/// uint8 one as the same number less 128, which is how uint8 networks look inside. Fails if the
/// types or sizes do not fit.
Expected<Difference> compareArrays(const Array &a, const Array &b);

} // namespace tenon::cli
