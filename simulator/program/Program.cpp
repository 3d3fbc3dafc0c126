// SPDX-License-Identifier: Apache-2.0
// Reads a stream command by command until END or a fault; then looks for races and takes the time.
#include "simulator/program/Program.h"

#include "simulator/program/Hazards.h"

namespace tenon::simulator {
namespace {

using namespace mortise;

class Loader {
public:
  Loader(const StreamView &stream, const Limits &limits) : stream(stream), limits(limits) {}

  void read() {
    for (uint32_t index = 0; !fault; ++index) {
      auto command = stream.command(index);
      if (!command) {
        stopAt(index, {},
               {command.error().code, index * uint64_t(kCommandBytes), command.error().message});
        return;
      }
      take(index, *command);
      if (command->header.op == Opcode::END)
        return;
    }
  }

  void findRaces() {
    auto race = findRace(ordered);
    if (!race)
      return;
    const auto index = uint32_t(race->command);
    stopAt(index, steps[index].header, race->finding);
  }

  void stopAt(uint32_t index, const Header &header, const Finding &finding) {
    fault = Fault{finding.code, header.engine,   header.layerTag,
                  index,        finding.address, finding.message};
  }

  std::vector<Step> steps;
  std::optional<Fault> fault;

private:
  const StreamView &stream;
  const Limits &limits;
  Dispatch dispatch;
  std::vector<OrderedCommand> ordered;

  void take(uint32_t index, const Command &command) {
    const Header &header = command.header;
    auto waits = dispatch.next(header);
    if (!waits)
      return stopAt(index, header, {waits.error().code, 0, waits.error().message});
    auto step = makeStep(stream, command);
    if (!step)
      return stopAt(index, header, {step.error().code, 0, step.error().message});
    if (auto finding = checkRules(*step))
      return stopAt(index, header, *finding);
    std::vector<Touch> touches = touchesOf(*step);
    if (auto finding = checkBounds(touches, limits))
      return stopAt(index, header, *finding);
    const bool barrier = header.op == Opcode::BARRIER || header.op == Opcode::END;
    ordered.push_back({header.engine, barrier, *waits, std::move(touches)});
    steps.push_back(std::move(*step));
  }
};

Fault atStart(FaultCode code, std::string message) {
  return {code, Engine::CP, 0, 0, 0, std::move(message)};
}

/// The time of a stream that has no fault of its own.
std::optional<Fault> takeTime(const StreamView &stream, const Config &config, uint64_t watchdog,
                              timing::Timeline &times) {
  auto timed = timedStream(stream, config);
  if (!timed)
    return atStart(timed.error().code, timed.error().message);
  times = timing::simulate(machineOf(config), timed->commands);
  if (!watchdog || times.cycles <= watchdog)
    return std::nullopt;
  return atStart(FaultCode::WATCHDOG, fmt::format("the job takes {} cycles, the watchdog allows {}",
                                                  times.cycles, watchdog));
}

} // namespace

Program Program::load(ByteSpan bytes, const Config &config, const Limits &limits,
                      const LoadOptions &options) {
  Program program;
  auto stream = readStream(bytes);
  if (!stream) {
    program.stop = atStart(stream.error().code, stream.error().message);
    return program;
  }
  if (stream->configHash != hashOf(config)) {
    program.stop = atStart(FaultCode::BAD_VERSION,
                           fmt::format("the stream is for another machine than this {}; compile "
                                       "the model for it",
                                       config.name));
    return program;
  }
  Loader loader(*stream, limits);
  loader.read();
  // Time before races: work that takes too long is not looked at byte by byte.
  if (!loader.fault)
    loader.fault = takeTime(*stream, config, options.watchdogCycles, program.times);
  if (!loader.fault && options.checkHazards)
    loader.findRaces();
  if (!loader.fault)
    program.commands = std::move(loader.steps);
  else
    program.times = {};
  program.stop = std::move(loader.fault);
  return program;
}

} // namespace tenon::simulator
