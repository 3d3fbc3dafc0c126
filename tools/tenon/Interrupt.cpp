// SPDX-License-Identifier: Apache-2.0
// The handler only sets or reads lock-free flags, and leaves by _exit.
#include "tools/tenon/Interrupt.h"

#include <atomic>
#include <csignal>
#include <unistd.h>

namespace tenon::cli {
namespace {

constexpr int kExitSignalBase = 128;
std::atomic<bool> writing{false};
std::atomic<int> pendingSignal{0};

void onSignal(int signal) {
  if (!writing.load())
    _exit(kExitSignalBase + signal);
  pendingSignal.store(signal);
}

} // namespace

void installInterruptHandler() {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

UninterruptedWrite::UninterruptedWrite() { writing.store(true); }

UninterruptedWrite::~UninterruptedWrite() {
  writing.store(false);
  if (int signal = pendingSignal.load())
    _exit(kExitSignalBase + signal);
}

} // namespace tenon::cli
