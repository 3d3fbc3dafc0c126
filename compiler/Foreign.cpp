// SPDX-License-Identifier: Apache-2.0
// Exceptions by catch, signals by LLVM's crash recovery.
#include "compiler/Foreign.h"

#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>

#include <fmt/format.h>

#include "llvm/Support/CrashRecoveryContext.h"

namespace tenon::compiler {
namespace {

std::mutex catcherMutex;
unsigned catchers = 0;

/// CrashRecoveryContext::RetCode of a signal is this plus its number, as a shell has it.
constexpr int kSignalBase = 128;

std::string describeCrash(int code) {
  const int signal = code - kSignalBase;
  const char *name = signal > 0 && signal < NSIG ? sigabbrev_np(signal) : nullptr;
  return name ? fmt::format("crashed (SIG{})", name) : fmt::format("crashed (code {})", code);
}

} // namespace

std::optional<std::string> runForeign(llvm::function_ref<void()> work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::exception &error) {
    return fmt::format("threw \"{}\"", error.what());
  } catch (...) {
    return "threw something that is no std::exception";
  }
}

std::optional<std::string> runForeignThatMayCrash(llvm::function_ref<void()> work) {
  std::optional<std::string> problem;
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] { problem = runForeign(work); }))
    return describeCrash(recovery.RetCode);
  return problem;
}

SignalCatcher::SignalCatcher() {
  const std::scoped_lock lock(catcherMutex);
  if (catchers++ == 0)
    llvm::CrashRecoveryContext::Enable();
}

SignalCatcher::~SignalCatcher() {
  const std::scoped_lock lock(catcherMutex);
  if (--catchers == 0)
    llvm::CrashRecoveryContext::Disable();
}

} // namespace tenon::compiler
