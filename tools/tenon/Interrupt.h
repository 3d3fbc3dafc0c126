// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: the program ends at once with 130, but never in the middle of writing a file.
#pragma once

namespace tenon::cli {

/// Installs the handler of SIGINT and SIGTERM.
void installInterruptHandler();

/// While one lives, an interrupt waits for its end. Not nested; the main thread only.
class UninterruptedWrite {
public:
  UninterruptedWrite();
  ~UninterruptedWrite();
  UninterruptedWrite(const UninterruptedWrite &) = delete;
  UninterruptedWrite &operator=(const UninterruptedWrite &) = delete;
};

} // namespace tenon::cli
