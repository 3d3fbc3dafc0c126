// SPDX-License-Identifier: Apache-2.0
// Draws cases at random, brings them within the claims, and moves one number to an edge.
#include "conform/Generate.h"

#include <algorithm>
#include <map>

#include "support/Error.h"

namespace tenon::conform {
namespace {

using backend::Claim;

/// What a case may cost: the functional models of devices are slow.
constexpr int64_t kMostElements = int64_t(1) << 25, kMostWork = int64_t(1) << 25;
constexpr int kAttempts = 300;

/// Claims of one composite.
struct Composite {
  std::string name, operation;
  std::vector<Claim> limits;
};

std::vector<Composite> compositesOf(const std::vector<Claim> &claims) {
  std::vector<Composite> all;
  for (const Claim &claim : claims) {
    auto found = std::ranges::find(all, claim.composite, &Composite::name);
    if (found == all.end())
      found = all.insert(all.end(), {claim.composite, claim.operation, {}});
    if (!claim.parameter.empty())
      found->limits.push_back(claim);
  }
  return all;
}

/// What stands on a side of a limit.
struct Edge {
  int64_t number;
  std::string side; ///< "at the limit", "just inside", "just outside"
};

std::vector<Edge> edgesOf(const Claim &claim) {
  std::map<int64_t, std::string> edges;
  const auto add = [&](int64_t number, const std::string &side) {
    edges.emplace(number, isWithin(claim, number) ? side : "just outside");
  };
  for (int64_t value : claim.values)
    add(value, "at the limit");
  if (claim.maximum != INT64_MAX)
    add(claim.maximum, "at the limit");
  if (claim.minimum != INT64_MIN)
    add(claim.minimum, "at the limit");
  const auto limits = edges;
  for (const auto &[number, side] : limits)
    for (int64_t step : {-1, 1})
      if (!limits.contains(number + step))
        add(number + step, "just inside");
  std::vector<Edge> all;
  for (const auto &[number, side] : edges)
    all.push_back({number, side});
  return all;
}

/// The number nearest to \p number that \p claim takes.
int64_t nearest(const Claim &claim, int64_t number) {
  int64_t best = std::clamp(number, claim.minimum, claim.maximum);
  for (size_t i = 0; i < claim.values.size(); ++i)
    if (i == 0 || std::abs(claim.values[i] - number) < std::abs(best - number))
      best = claim.values[i];
  return best;
}

bool isPossible(const Case &that) {
  const Pair out = that.outputSize();
  return that.elements() <= kMostElements && that.work() <= kMostWork && out[0] >= 1 && out[1] >= 1;
}

class Planner {
public:
  Planner(std::vector<Composite> composites, int ordinary, uint64_t seed)
      : composites(std::move(composites)), ordinary(ordinary), random(seed) {}

  Plan run() {
    for (const Composite &composite : composites)
      if (std::ranges::count(operations(), composite.operation) == 0)
        plan.untried.push_back({composite.name, "all",
                                fmt::format("conform has no cases of {}", composite.operation)});
      else
        tryAll(composite);
    return std::move(plan);
  }

private:
  void tryAll(const Composite &composite) {
    for (int i = 0; i < ordinary; ++i)
      if (!tryOrdinary(composite)) {
        plan.untried.push_back(
            {composite.name, "ordinary cases", "no small case lies within all its limits"});
        break;
      }
    for (const Claim &limit : composite.limits)
      tryLimit(composite, limit);
  }

  bool tryOrdinary(const Composite &composite) {
    for (int i = 0; i < kAttempts; ++i) {
      Case that = draw(composite);
      repair(that, composite, nullptr);
      settle(that, that.isPool() || random.oneIn(2));
      if (!isPossible(that) || !isWithinAll(that, composite))
        continue;
      plan.trials.push_back({that, composite.name, "ordinary", true, {}});
      return true;
    }
    return false;
  }

  void tryLimit(const Composite &composite, const Claim &limit) {
    const size_t count = numbersOf(draw(composite), limit.parameter).size();
    if (count == 0) {
      plan.unknownRules.insert(limit.rule);
      plan.untried.push_back(
          {composite.name, limit.parameter,
           fmt::format("conform does not know this parameter of {}", composite.operation)});
    }
    for (const Edge &edge : edgesOf(limit))
      for (size_t index = 0; index < std::min<size_t>(count, 4); ++index)
        tryEdge(composite, limit, edge, index, count);
  }

  void tryEdge(const Composite &composite, const Claim &limit, const Edge &edge, size_t index,
               size_t count) {
    static const char *const kAxes[] = {" of rows", " of columns"};
    std::string what = fmt::format("{} {}", limit.parameter, edge.number);
    if (count == 2 && limit.parameter.find("zero_point") == std::string::npos)
      what += kAxes[index];
    for (int i = 0; i < kAttempts; ++i) {
      Case that = draw(composite);
      repair(that, composite, &limit);
      if (!assign(that, limit.parameter, index, edge.number))
        continue;
      settle(that, true);
      if (!isPossible(that) || numbersOf(that, limit.parameter)[index] != edge.number)
        continue;
      if (addEdge(composite, limit, that, what + ", " + edge.side))
        return;
    }
    // What is impossible by nature, a stride of 0, is nobody's limit.
    if (isWithin(limit, edge.number))
      plan.untried.push_back(
          {composite.name, what, "no small case has it and keeps the other limits"});
  }

  /// False if it breaks more than \p limit.
  bool addEdge(const Composite &composite, const Claim &limit, const Case &that,
               const std::string &purpose) {
    for (const Claim &other : composite.limits)
      if (other.rule != limit.rule && !isWithin(other, that))
        return false;
    Trial trial{that, composite.name, purpose, false, {}};
    for (const Composite &each : composites) {
      if (each.operation != composite.operation)
        continue;
      trial.taken |= isWithinAll(that, each);
      for (const Claim &claim : each.limits)
        if (!isWithin(claim, that))
          trial.rules.insert(claim.rule);
    }
    plan.trials.push_back(std::move(trial));
    return true;
  }

  bool isWithinAll(const Case &that, const Composite &composite) const {
    return std::ranges::all_of(composite.limits,
                               [&](const Claim &claim) { return isWithin(claim, that); });
  }

  /// Brings numbers within all limits but \p except. Setting one may move another, so twice.
  void repair(Case &that, const Composite &composite, const Claim *except) {
    for (int round = 0; round < 2; ++round)
      for (const Claim &limit : composite.limits) {
        const auto numbers = numbersOf(that, limit.parameter);
        for (size_t i = 0; &limit != except && i < numbers.size(); ++i)
          if (!isWithin(limit, numbers[i]))
            assign(that, limit.parameter, i,
                   limit.values.empty() ? nearest(limit, numbers[i]) : random.pick(limit.values));
      }
    settle(that, true);
  }

  Case draw(const Composite &composite) {
    Case that;
    that.operation = composite.operation;
    that.seed = uint64_t(random.between(1, int64_t(1) << 40));
    that.n = random.oneIn(4) ? random.between(1, 3) : 1;
    that.c = random.between(1, 12);
    that.size = {random.between(1, 13), random.between(1, 13)};
    if (that.isWindowed())
      drawWindow(that);
    if (that.operation == "fully_connected")
      that.size = {1, 1}, that.c = random.between(1, 70);
    that.outputChannels = random.between(1, 20);
    if (that.operation == "depthwise_conv2d")
      that.channelMultiplier = random.oneIn(3) ? random.between(2, 4) : 1;
    that.subtract = that.operation == "add" && random.oneIn(4);
    that.activation = random.pick<Activation>(
        {Activation::None, Activation::None, Activation::Relu, Activation::Relu6});
    if (that.operation == "reshape")
      that.activation = Activation::None;
    drawValues(that);
    settle(that, true);
    return that;
  }

  /// Two axes that differ more often than not: a mix-up of them shows.
  void drawWindow(Case &that) {
    for (int axis = 0; axis < 2; ++axis) {
      that.kernel[axis] = random.between(1, 5);
      that.stride[axis] = random.between(1, 3);
      if (that.isConvolution() && random.oneIn(4))
        that.dilation[axis] = random.between(2, 3);
    }
    that.samePadding = random.oneIn(2);
  }

  void drawValues(Case &that) {
    const auto zeroPoint = [&] {
      return random.pick<int64_t>(
          {-128, 127, 0, random.between(-127, 126), random.between(-40, 40)});
    };
    that.inputZeroPoint = zeroPoint(), that.secondZeroPoint = zeroPoint();
    that.outputZeroPoint = that.isConvolution() || that.operation == "add" ? random.between(-60, 60)
                                                                           : that.inputZeroPoint;
    if (random.oneIn(4))
      that.outputZeroPoint = that.isPool() ? that.inputZeroPoint : zeroPoint();
    // Small weights and exact scales: a large share of sums lies on rounding ties.
    const bool exact = random.oneIn(2);
    that.largestWeight = exact ? random.between(1, 3) : 127;
    chooseScales(that, that.isConvolution() && random.oneIn(2), exact, random);
  }

  std::vector<Composite> composites;
  int ordinary;
  Random random;
  Plan plan;
};

} // namespace

Plan planTrials(const std::vector<backend::Claim> &claims, int ordinary, uint64_t seed) {
  return Planner(compositesOf(claims), ordinary, seed).run();
}

} // namespace tenon::conform
