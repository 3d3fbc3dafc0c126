// SPDX-License-Identifier: Apache-2.0
// Compiles and runs trials, and says of each whether the backend kept its word.
#pragma once
#include <functional>

#include "compiler/Compiler.h"
#include "conform/Generate.h"

namespace tenon::conform {

/// Runs a package on its default devices: bytes of each input in, of each output out.
using Runner = std::function<Expected<std::vector<Bytes>>(const package::Package &,
                                                          const std::vector<Bytes> &)>;

enum class Verdict {
  Right,          ///< taken, and every bit is the reference's
  Refused,        ///< for a rule it claims, and that the case breaks
  WrongBits,      ///< taken, and some bit differs
  WronglyRefused, ///< within its claims
  WronglyTaken,   ///< outside its claims
  Undocumented,   ///< refused as it should be, for a rule it does not claim or is not broken
  Failed,         ///< its code does not compile or run, or its backend is at fault
  UnknownLimit,   ///< refused for a limit that conform does not know
};

/// Does it count against the backend?
bool isWrong(Verdict verdict);
/// "right", "wrong bits"...
const char *nameOf(Verdict verdict);

struct Outcome {
  Trial trial;
  Verdict verdict = Verdict::Failed;
  std::string detail; ///< one line: what differs, or the refusal
  double compileMilliseconds = 0;
};

struct Suite {
  std::string target; ///< as in --target
  std::vector<std::string> plugins;
  int ordinary = 12;
  uint64_t seed = 0;
  Runner runner;
  std::function<void(const Outcome &, size_t number)> each; ///< may be null; called in order
};

struct Result {
  std::vector<Outcome> outcomes;
  std::vector<Untried> untried;
};

/// Tries all that the target claims. Fails if it claims nothing, or if the reference itself cannot
/// run a case.
Expected<Result> tryTarget(const Suite &suite);

} // namespace tenon::conform
