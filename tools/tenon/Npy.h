// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1 to 3, little endian, C order.
#pragma once
#include "tools/tenon/Array.h"

namespace tenon::cli {

/// Parses \p bytes, which are untrusted. Fails, naming the byte or the field, on another byte
/// order, Fortran order, an element type Tenon has none for, and a size that does not fit.
Expected<Array> parseNpy(ByteSpan bytes);

/// The file's bytes, version 1, header padded to 64 as NumPy writes it.
Bytes formatNpy(const Array &array);

} // namespace tenon::cli
