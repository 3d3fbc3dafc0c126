// SPDX-License-Identifier: Apache-2.0
// List scheduling with one queue a target.
#include "partition/Schedule.h"

#include <functional>
#include <queue>

#include "llvm/ADT/STLExtras.h"

namespace tenon::partition {
namespace {

/// A schedule in the making.
class Progress {
public:
  explicit Progress(llvm::ArrayRef<Atom> atoms) : atoms(atoms), open(atoms.size()) {
    for (size_t i = 0; i < atoms.size(); ++i)
      open[i] = atoms[i].predecessors.size();
  }

  /// Takes everything \p target can run before another target must; smaller index first.
  std::vector<unsigned> takeClosure(unsigned target) {
    std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
    for (unsigned i = 0; i < atoms.size(); ++i)
      if (open[i] == 0 && atoms[i].target == target)
        ready.push(i);
    std::vector<unsigned> taken;
    while (!ready.empty()) {
      const unsigned atom = ready.top();
      ready.pop();
      taken.push_back(atom);
      open[atom] = -1;
      for (unsigned next : atoms[atom].successors) {
        --open[next];
        if (open[next] == 0 && atoms[next].target == target)
          ready.push(next);
      }
    }
    return taken;
  }

  std::vector<unsigned> remaining() const {
    std::vector<unsigned> left;
    for (unsigned i = 0; i < open.size(); ++i)
      if (open[i] >= 0)
        left.push_back(i);
    return left;
  }

private:
  llvm::ArrayRef<Atom> atoms;
  std::vector<int> open; ///< predecessors not done; -1: done itself
};

/// Takes off \p stuck what only waits for a circle and has none behind it.
std::vector<unsigned> keepCircles(llvm::ArrayRef<Atom> atoms, std::vector<unsigned> stuck) {
  std::vector<bool> isStuck(atoms.size());
  for (unsigned atom : stuck)
    isStuck[atom] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned atom : stuck)
      if (isStuck[atom] && llvm::none_of(atoms[atom].successors,
                                         [&](unsigned next) { return bool(isStuck[next]); })) {
        isStuck[atom] = false;
        changed = true;
      }
  }
  std::erase_if(stuck, [&](unsigned atom) { return !isStuck[atom]; });
  return stuck;
}

/// Whose turn takes the most; the preferred target on a tie.
Region takeLargest(Progress &progress, unsigned targetCount) {
  Region best;
  Progress after = progress;
  for (unsigned target = 0; target < targetCount; ++target) {
    Progress trial = progress;
    auto taken = trial.takeClosure(target);
    if (taken.size() > best.atoms.size()) {
      best = {target, std::move(taken)};
      after = std::move(trial);
    }
  }
  progress = std::move(after);
  return best;
}

Schedule scheduleFrom(llvm::ArrayRef<Atom> atoms, unsigned first, unsigned targetCount) {
  Schedule schedule;
  Progress progress(atoms);
  Region region{first, progress.takeClosure(first)};
  while (!region.atoms.empty()) {
    schedule.regions.push_back(std::move(region));
    region = takeLargest(progress, targetCount);
  }
  schedule.stuck = progress.remaining();
  return schedule;
}

} // namespace

Schedule scheduleRegions(llvm::ArrayRef<Atom> atoms, unsigned targetCount) {
  Schedule best;
  for (unsigned first = 0; first < targetCount; ++first) {
    Schedule trial = scheduleFrom(atoms, first, targetCount);
    if (trial.regions.empty())
      continue; // nothing is ready for this target at the start
    if (best.regions.empty() || trial.regions.size() < best.regions.size())
      best = std::move(trial);
  }
  if (best.regions.empty())
    best.stuck = Progress(atoms).remaining();
  best.stuck = keepCircles(atoms, std::move(best.stuck));
  return best;
}

} // namespace tenon::partition
