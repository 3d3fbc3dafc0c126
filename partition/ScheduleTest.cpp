// SPDX-License-Identifier: Apache-2.0
// Regions of random graphs: complete, in order, few.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "partition/Schedule.h"

namespace tenon::partition {
namespace {

std::vector<Atom> makeGraph(unsigned seed, unsigned size, unsigned targets) {
  std::mt19937 random(seed);
  std::vector<Atom> atoms(size);
  for (unsigned i = 0; i < size; ++i) {
    atoms[i].target = random() % targets;
    atoms[i].units = {i};
    for (unsigned before = 0; before < i; ++before)
      if (random() % size < 2) {
        atoms[i].predecessors.push_back(before);
        atoms[before].successors.push_back(i);
      }
  }
  return atoms;
}

/// The fewest regions of \p atoms, by trying every order of targets on every set done.
unsigned findMinimum(const std::vector<Atom> &atoms, unsigned targets) {
  std::set<unsigned> layer = {0};
  const unsigned all = (1u << atoms.size()) - 1;
  for (unsigned count = 0;; ++count) {
    if (layer.contains(all))
      return count;
    std::set<unsigned> next;
    for (unsigned done : layer)
      for (unsigned target = 0; target < targets; ++target) {
        unsigned now = done;
        for (unsigned i = 0; i < atoms.size(); ++i) {
          bool ready = atoms[i].target == target;
          for (unsigned before : atoms[i].predecessors)
            ready = ready && (now >> before & 1);
          now |= unsigned(ready) << i;
        }
        next.insert(now);
      }
    layer = next;
  }
}

void expectLegal(const std::vector<Atom> &atoms, const Schedule &schedule) {
  std::vector<bool> done(atoms.size());
  for (const Region &region : schedule.regions) {
    EXPECT_FALSE(region.atoms.empty());
    for (unsigned atom : region.atoms) {
      EXPECT_EQ(atoms[atom].target, region.target);
      EXPECT_FALSE(done[atom]);
      for (unsigned before : atoms[atom].predecessors)
        EXPECT_TRUE(done[before]);
      done[atom] = true;
    }
  }
  EXPECT_TRUE(schedule.stuck.empty());
  EXPECT_EQ(std::count(done.begin(), done.end(), true), long(atoms.size()));
}

TEST(Schedule, TwoTargetsGetTheFewestRegions) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto atoms = makeGraph(seed, 4 + seed % 9, 2);
    const Schedule schedule = scheduleRegions(atoms, 2);
    expectLegal(atoms, schedule);
    EXPECT_EQ(schedule.regions.size(), findMinimum(atoms, 2)) << "seed " << seed;
  }
}

TEST(Schedule, FourTargetsStayCloseToTheFewest) {
  unsigned made = 0, fewest = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto atoms = makeGraph(seed, 10, 4);
    const Schedule schedule = scheduleRegions(atoms, 4);
    expectLegal(atoms, schedule);
    made += schedule.regions.size();
    fewest += findMinimum(atoms, 4);
  }
  EXPECT_LE(made * 100, fewest * 110);
}

TEST(Schedule, NamesWhatIsStuckInACircle) {
  std::vector<Atom> atoms = {
      {0, {0}, {}, {1}}, {0, {1}, {0, 2}, {2}}, {1, {2}, {1}, {1, 3}}, {1, {3}, {2}, {}}};
  EXPECT_EQ(scheduleRegions(atoms, 2).stuck, (std::vector<unsigned>{1, 2}));
}

TEST(Schedule, TakesNothingFromNothing) {
  EXPECT_TRUE(scheduleRegions({}, 2).regions.empty());
  EXPECT_TRUE(scheduleRegions({}, 2).stuck.empty());
}

} // namespace
} // namespace tenon::partition
