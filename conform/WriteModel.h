// SPDX-License-Identifier: Apache-2.0
// A case as the TFLite file that any other tool reads too.
#pragma once
#include "conform/Case.h"
#include "support/Bytes.h"

namespace tenon::conform {

/// One operator with its constants; inputs "a" (and "b"), output "out".
Bytes writeModel(const Case &that);

/// Values for input \p index, all of int8's range; \p round 1 prefers its ends and the zero point.
Bytes inputOf(const Case &that, size_t index, int round);
/// One, or two for add.
size_t inputCount(const Case &that);
/// How many rounds of inputs a case has.
inline constexpr int kRounds = 2;

} // namespace tenon::conform
