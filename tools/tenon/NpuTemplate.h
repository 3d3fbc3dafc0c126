// SPDX-License-Identifier: Apache-2.0
// The project that `tenon new-npu` writes: template/, part of the program.
#pragma once
#include <span>
#include <string>

#include "support/Bytes.h"

namespace tenon::cli {

struct TemplateFile {
  const char *path; ///< in the project
  ByteSpan content; ///< "@NAME@" and "@VERSION@" stand for what is put there
};

std::span<const TemplateFile> npuTemplate();

/// Writes the project \p name, a checked name, as the new folder \p folder: whole or not at all.
/// Fails if \p folder exists.
Expected<void> writeNpuProject(const std::string &name, const std::string &folder);

/// Is \p name fit for an NPU: a lower-case word that is no target yet. Fails with what would be.
Expected<void> checkNpuName(const std::string &name, const std::vector<std::string> &taken);

} // namespace tenon::cli
