// SPDX-License-Identifier: Apache-2.0
// Runs code of others so that what it throws, and most of what it crashes on, becomes a sentence.
#pragma once
#include <optional>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tenon::compiler {

/// Calls \p work. Nothing if it returns, else what it did, to stand after a subject: `threw "no"`.
std::optional<std::string> runForeign(llvm::function_ref<void()> work);

/// As runForeign, and if a SignalCatcher lives, a signal that means a crash (SIGSEGV, SIGABRT,
/// SIGFPE...) ends only \p work: it leaves as by longjmp, so what it owned leaks. Memory that it
/// wrote before, locks that it held and an endless loop remain its own.
std::optional<std::string> runForeignThatMayCrash(llvm::function_ref<void()> work);

/// Has crashes caught, in this process, as long as one lives. Threads: any.
class SignalCatcher {
public:
  SignalCatcher();
  ~SignalCatcher();
  SignalCatcher(const SignalCatcher &) = delete;
  SignalCatcher &operator=(const SignalCatcher &) = delete;
};

} // namespace tenon::compiler
