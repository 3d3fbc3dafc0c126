// SPDX-License-Identifier: Apache-2.0
// What the program says: results on standard output, one line of failure on standard error.
#pragma once
#include <string>
#include <vector>

#include "support/Error.h"

namespace tenon::cli {

/// Bytes that are not printable ASCII or UTF-8 as \xNN, so that names from a file stay on one line
/// and cannot steer a terminal.
std::string printable(const std::string &text);

/// Writes \p text to standard output. Fails if that is closed or full.
Expected<void> print(const std::string &text);

/// Writes `tenon: MESSAGE` as one line to standard error.
void printError(const std::string &message);

/// Writes `tenon: warning: MESSAGE` as one line to standard error.
void printWarning(const std::string &message);

/// Rows of cells in aligned columns, two spaces between them, none at a line's end.
std::string formatTable(const std::vector<std::vector<std::string>> &rows);

} // namespace tenon::cli
