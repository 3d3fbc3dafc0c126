// SPDX-License-Identifier: Apache-2.0
// Outcomes counted by composite.
#include "conform/Sheet.h"

#include <algorithm>

namespace tenon::conform {
namespace {

Score &scoreOf(std::vector<Score> &scores, const std::string &composite) {
  auto found = std::ranges::find(scores, composite, &Score::composite);
  if (found == scores.end())
    found = scores.insert(scores.end(), Score{.composite = composite, .operation = ""});
  return *found;
}

void count(Score &score, const Outcome &outcome) {
  ++score.cases;
  score.operation = outcome.trial.that.operation;
  score.compileMilliseconds += outcome.compileMilliseconds;
  switch (outcome.verdict) {
  case Verdict::Right:
    ++score.taken, ++score.right;
    return;
  case Verdict::WrongBits:
  case Verdict::WronglyTaken:
    ++score.taken, ++score.wrong;
    return;
  case Verdict::Failed:
    ++score.wrong;
    return;
  case Verdict::Refused:
    ++score.documented;
    return;
  case Verdict::WronglyRefused:
  case Verdict::Undocumented:
    ++score.undocumented;
    return;
  case Verdict::UnknownLimit:
    ++score.untried;
    return;
  }
}

} // namespace

std::vector<Score> scoresOf(const Result &result) {
  std::vector<Score> scores;
  for (const Outcome &outcome : result.outcomes)
    count(scoreOf(scores, outcome.trial.composite), outcome);
  for (Score &score : scores)
    score.compileMilliseconds /= double(score.cases);
  for (const Untried &untried : result.untried)
    ++scoreOf(scores, untried.composite).untried;
  return scores;
}

} // namespace tenon::conform
