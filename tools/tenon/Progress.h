// SPDX-License-Identifier: Apache-2.0
// Tells on standard error what takes longer than a second.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tenon::cli {

/// Shows the current stage and its seconds from the first second on, once a second, on a line that
/// is wiped at the end. Silent unless standard error is a terminal, or \p always.
class Progress {
public:
  explicit Progress(bool always);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// A stage begins: "compile host".
  void stage(const std::string &name);

private:
  void show();

  const bool terminal, active;
  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::string current;
  std::thread shower;
};

} // namespace tenon::cli
