// SPDX-License-Identifier: Apache-2.0
// Looks at a plug-in library before any of its code runs.
#pragma once
#include <string>
#include <vector>

#include "backend/api/Backend.h"
#include "support/Error.h"

namespace tenon::compiler {

/// Reads \p path's tables. Fails unless it is a shared library for this CPU that exports
/// tenon_backend_v1 and needs no other LLVM, MLIR or Tenon than this compiler's: two of one in a
/// process abort it, or worse.
Expected<void> checkLibraryFile(const std::string &path);

/// Fails unless \p plugin, which \p path offers, was made for this compiler, and says which side to
/// rebuild. Nothing but numbers is read before the interface's version is right.
Expected<void> checkPlugin(const backend::BackendPlugin *plugin, const std::string &path);

/// What \p path stands for: the *.so files of a folder, by name, or the file itself.
std::vector<std::string> librariesOf(const std::string &path);

} // namespace tenon::compiler
