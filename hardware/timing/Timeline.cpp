// SPDX-License-Identifier: Apache-2.0
#include "hardware/timing/Timeline.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace tenon::timing {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A command that runs: first its own cycles and latency, then its transfer.
struct Running {
  uint32_t index = 0;
  bool active = false;
  double cyclesLeft = 0; ///< at full speed
  double bytesLeft = 0;  ///< of the DRAM transfer
  double sramRate = 0;   ///< bytes a cycle at full speed, cycles phase
  double start = 0;

  bool transfers() const { return cyclesLeft <= 0 && bytesLeft > 0; }
};

struct Engine {
  std::deque<uint32_t> queue; ///< dispatched, not started
  Running running;
  uint64_t completed = 0, dispatched = 0;
  double busy = 0, dependency = 0, dram = 0, sram = 0;

  size_t outstanding() const { return queue.size() + running.active; }
};

/// The command processor's descriptor cache: a short list, most recent first.
class DescriptorCache {
public:
  explicit DescriptorCache(uint32_t entries) : entries(entries) {}
  /// Takes \p key in; was it there?
  bool touch(int32_t key) {
    const auto found = std::find(recent.begin(), recent.end(), key);
    const bool hit = found != recent.end();
    if (hit)
      recent.erase(found);
    else if (recent.size() == entries && entries)
      recent.pop_back();
    if (entries)
      recent.insert(recent.begin(), key);
    return hit;
  }

private:
  uint32_t entries;
  std::vector<int32_t> recent;
};

class Simulation {
public:
  Simulation(const Machine &machine, std::span<const TimedCommand> commands, bool keepSpans)
      : machine(machine), commands(commands), cache(machine.descriptorEntries) {
    uint32_t layers = 0;
    for (const TimedCommand &command : commands)
      layers = std::max(layers, command.layer + 1);
    result.layers.resize(layers);
    if (keepSpans)
      result.commands.resize(commands.size());
  }

  Timeline run() {
    while (true) {
      settle();
      const double step = nextEvent();
      if (step == kNever)
        break;
      advance(step);
    }
    return finish();
  }

private:
  const Machine &machine;
  std::span<const TimedCommand> commands;
  DescriptorCache cache;
  std::array<Engine, kMaxEngines> engines;
  Timeline result;
  double now = 0;
  uint32_t next = 0;        ///< command the processor works on
  double dispatchLeft = -1; ///< of that command; below 0: not begun
  double slowdown = 1, dramShare = 0;

  bool met(const TimedCommand &command) const {
    for (uint32_t e = 0; e < machine.engines; ++e) {
      // A wait past what an engine was ever given cannot block for ever.
      const bool drained = next >= commands.size() && !engines[e].outstanding();
      if (engines[e].completed < command.waits[e] && !drained)
        return false;
    }
    return true;
  }

  bool idle() const {
    for (uint32_t e = 0; e < machine.engines; ++e)
      if (engines[e].outstanding())
        return false;
    return true;
  }

  /// Does everything that takes no time.
  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      while (dispatchOne())
        changed = true;
      for (uint32_t e = 0; e < machine.engines; ++e)
        changed |= startHead(engines[e]);
    }
    setRates();
  }

  /// One step of the command processor; false if it has to wait or to work.
  bool dispatchOne() {
    if (next >= commands.size())
      return false;
    const TimedCommand &command = commands[next];
    if (dispatchLeft < 0) {
      dispatchLeft = machine.dispatchCycles;
      if (command.descriptor >= 0 && !cache.touch(command.descriptor))
        dispatchLeft += machine.descriptorMissCycles;
    }
    if (dispatchLeft > 0)
      return false;
    if (command.engine >= machine.engines) {
      if (command.barrier ? !idle() : !met(command))
        return false;
    } else {
      Engine &engine = engines[command.engine];
      if (engine.outstanding() >= machine.queueDepth)
        return false;
      engine.queue.push_back(next);
      ++engine.dispatched;
    }
    ++next;
    dispatchLeft = -1;
    return true;
  }

  bool startHead(Engine &engine) {
    if (engine.running.active || engine.queue.empty() || !met(commands[engine.queue.front()]))
      return false;
    const uint32_t index = engine.queue.front();
    const Work &work = commands[index].work;
    engine.queue.pop_front();
    engine.running = {index, true, double(work.cycles + work.latency), double(work.dramBytes),
                      0,     now};
    if (!work.dramBytes && work.cycles)
      engine.running.sramRate = double(work.sramBytes) / double(work.cycles);
    if (engine.running.cyclesLeft <= 0 && engine.running.bytesLeft <= 0)
      complete(engine);
    return true;
  }

  void complete(Engine &engine) {
    const TimedCommand &command = commands[engine.running.index];
    engine.running.active = false;
    ++engine.completed;
    account(command, engine.running.start);
    if (!result.commands.empty())
      result.commands[engine.running.index] = {engine.running.start, now};
  }

  void account(const TimedCommand &command, double start) {
    LayerTime &layer = result.layers[command.layer];
    const bool empty = layer.last == 0 && layer.first == 0;
    const uint64_t first = uint64_t(std::floor(start)), last = uint64_t(std::ceil(now));
    layer.first = empty ? first : std::min(layer.first, first);
    layer.last = std::max(layer.last, last);
    layer.busy[command.engine] += last - first;
    layer.dramBytes += command.work.dramBytes;
    layer.dramRead += command.work.dramRead;
    layer.dramWritten += command.work.dramWritten;
    layer.macs += command.work.macs;
  }

  /// Rates until the next event: everyone's SRAM slowdown and a transfer's share of DRAM.
  void setRates() {
    uint32_t transfers = 0;
    for (uint32_t e = 0; e < machine.engines; ++e)
      transfers += engines[e].running.active && engines[e].running.transfers();
    dramShare = transfers ? machine.dramBytesPerCycle / transfers : 0;
    double demand = 0;
    for (uint32_t e = 0; e < machine.engines; ++e) {
      const Running &running = engines[e].running;
      if (running.active)
        demand += running.transfers() ? dramShare : running.sramRate;
    }
    slowdown =
        machine.sramBytesPerCycle > 0 ? std::max(1.0, demand / machine.sramBytesPerCycle) : 1;
  }

  double nextEvent() const {
    double step = dispatchLeft > 0 ? dispatchLeft : kNever;
    for (uint32_t e = 0; e < machine.engines; ++e) {
      const Running &running = engines[e].running;
      if (!running.active)
        continue;
      const double alone = running.transfers() ? running.bytesLeft / dramShare : running.cyclesLeft;
      step = std::min(step, alone * slowdown);
    }
    return step;
  }

  void advance(double step) {
    now += step;
    if (dispatchLeft > 0)
      dispatchLeft = dispatchLeft - step > 1e-9 ? dispatchLeft - step : 0;
    for (uint32_t e = 0; e < machine.engines; ++e)
      advance(engines[e], step);
  }

  void advance(Engine &engine, double step) {
    Running &running = engine.running;
    if (!running.active) {
      if (!engine.queue.empty())
        engine.dependency += step;
      return;
    }
    engine.busy += step;
    engine.sram += step - step / slowdown;
    if (running.transfers()) {
      engine.dram += step / slowdown * (1 - dramShare / machine.dramBytesPerCycle);
      running.bytesLeft -= step / slowdown * dramShare;
      if (running.bytesLeft <= 1e-6)
        running.bytesLeft = 0;
    } else {
      running.cyclesLeft -= step / slowdown;
      if (running.cyclesLeft <= 1e-9)
        running.cyclesLeft = 0;
    }
    if (running.cyclesLeft <= 0 && running.bytesLeft <= 0)
      complete(engine);
  }

  Timeline finish() {
    result.cycles = uint64_t(std::ceil(now - 1e-6));
    for (uint32_t e = 0; e < machine.engines; ++e) {
      const Engine &engine = engines[e];
      result.engines[e] = {uint64_t(engine.busy + 0.5), uint64_t(engine.dependency + 0.5),
                           uint64_t(engine.dram + 0.5), uint64_t(engine.sram + 0.5),
                           engine.completed};
    }
    for (const LayerTime &layer : result.layers) {
      result.dramBytes += layer.dramBytes;
      result.dramRead += layer.dramRead;
      result.dramWritten += layer.dramWritten;
      result.macs += layer.macs;
    }
    return std::move(result);
  }
};

} // namespace

Timeline simulate(const Machine &machine, std::span<const TimedCommand> commands, bool keepSpans) {
  return Simulation(machine, commands, keepSpans).run();
}

} // namespace tenon::timing
