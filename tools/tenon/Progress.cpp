// SPDX-License-Identifier: Apache-2.0
// A thread that wakes once a second and prints the stage.
#include "tools/tenon/Progress.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace tenon::cli {
namespace {
constexpr std::chrono::seconds kPeriod{1};
} // namespace

Progress::Progress(bool always) : terminal(isatty(STDERR_FILENO) != 0), active(always || terminal) {
  if (active)
    shower = std::thread([this] { show(); });
}

Progress::~Progress() {
  {
    std::lock_guard lock(mutex);
    done = true;
  }
  wake.notify_all();
  if (shower.joinable())
    shower.join();
}

void Progress::stage(const std::string &name) {
  std::lock_guard lock(mutex);
  current = name;
}

void Progress::show() {
  std::unique_lock lock(mutex);
  int seconds = 0;
  while (!wake.wait_for(lock, kPeriod, [this] { return done; })) {
    ++seconds;
    const std::string text = fmt::format("{} ... {} s", current, seconds);
    fmt::print(stderr, "{}{}{}", terminal ? "\r\033[K" : "", text, terminal ? "" : "\n");
    std::fflush(stderr);
  }
  if (terminal && seconds)
    fmt::print(stderr, "\r\033[K");
}

} // namespace tenon::cli
