// SPDX-License-Identifier: Apache-2.0
// Whole-file reads and atomic whole-file writes.
#pragma once
#include <string>

#include "support/Bytes.h"

namespace tenon {

/// Reads all of \p path. Fails with the system's reason, or if the file exceeds \p limitBytes.
Expected<Bytes> readFile(const std::string &path, uint64_t limitBytes = uint64_t(1) << 31);

/// Writes \p bytes to a temporary file beside \p path, then renames it over \p path: the
/// file is there whole or not at all, also after Ctrl-C. Fails with the system's reason.
Expected<void> writeFile(const std::string &path, ByteSpan bytes);

} // namespace tenon
