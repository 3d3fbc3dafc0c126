// SPDX-License-Identifier: Apache-2.0
// Reads a stream command by command until END or a fault; then looks for races and takes the time.
#include "simulator/program/Program.h"

#include <algorithm>
#include <cstring>

#include "simulator/program/Hazards.h"

namespace tenon::simulator {
namespace {

using namespace mortise;

/// No machine works on more elements a cycle.
constexpr double kElementsPerCycle = 1024;

class Loader {
public:
  Loader(ByteSpan container, const StreamView &stream, const Limits &limits, uint64_t watchdog)
      : container(container), stream(stream), limits(limits), watchdog(watchdog) {}

  void read() {
    for (uint32_t index = 0; !fault; ++index) {
      auto command = stream.command(index);
      if (!command)
        return stopAt(index, headerAt(index),
                      {command.error().code, commandAddress(index) + command.error().offset,
                       command.error().message});
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

  /// The time of a stream that has no fault of its own.
  void takeTime(const Config &config, timing::Timeline &times) {
    auto timed = timedStream(stream, config);
    if (!timed)
      return stopAt(0, {}, {timed.error().code, 0, timed.error().message});
    times = timing::simulate(machineOf(config), timed->commands, watchdog != 0);
    if (watchdog && times.cycles > watchdog)
      stopLate(times);
    times.commands.clear();
  }

  void stopAt(uint32_t index, const Header &header, const Finding &finding) {
    fault = Fault{finding.code, header.engine,   header.layerTag,
                  index,        finding.address, finding.message};
  }

  std::vector<Step> steps;
  std::optional<Fault> fault;

private:
  ByteSpan container;
  const StreamView &stream;
  const Limits &limits;
  uint64_t watchdog;
  Dispatch dispatch;
  std::vector<OrderedCommand> ordered;

  // Addresses in region 0, which is the container.
  uint64_t addressOf(ByteSpan section) const { return uint64_t(section.data() - container.data()); }
  uint64_t commandAddress(uint32_t index) const {
    return addressOf(stream.commands) + uint64_t(index) * kCommandBytes;
  }

  /// What a command that cannot be read says of itself; the command processor's if not even that.
  Header headerAt(uint32_t index) const {
    if (index >= stream.commandCount())
      return {};
    const ByteSpan bytes = stream.commands.subspan(size_t(index) * kCommandBytes, kCommandBytes);
    auto header = decode<Header>(bytes);
    Header tagOnly;
    std::memcpy(&tagOnly.layerTag, bytes.data() + 14, sizeof(tagOnly.layerTag));
    return header ? *header : tagOnly;
  }

  /// What a command refers to and cannot be read: its descriptor.
  uint64_t referenceAddress(const Command &command, uint32_t offset) const {
    const auto *mac = std::get_if<MacRun>(&command.payload);
    const auto *vec = std::get_if<VecRun>(&command.payload);
    if (!mac && !vec)
      return 0;
    return addressOf(stream.descriptors) +
           uint64_t(mac ? mac->descriptor : vec->descriptor) * kDescriptorBytes + offset;
  }

  uint64_t microOpAddress(const Step &step, uint64_t number) const {
    const VecDescriptor &d = std::get<VecStep>(step.work).descriptor;
    return addressOf(stream.programs) + (d.program + number) * kMicroOpBytes;
  }

  /// The first command that was not done in time.
  void stopLate(const timing::Timeline &times) {
    uint32_t index = 0;
    while (index + 1 < times.commands.size() && times.commands[index].end <= double(watchdog))
      ++index;
    stopAt(
        index, steps[index].header,
        {FaultCode::WATCHDOG, 0,
         fmt::format("the job takes {} cycles, the watchdog allows {}", times.cycles, watchdog)});
  }

  void take(uint32_t index, const Command &command) {
    const Header &header = command.header;
    auto waits = dispatch.next(header);
    if (!waits)
      return stopAt(index, header,
                    {waits.error().code, commandAddress(index) + waits.error().offset,
                     waits.error().message});
    auto step = makeStep(stream, command);
    if (!step)
      return stopAt(index, header,
                    {step.error().code, referenceAddress(command, step.error().offset),
                     step.error().message});
    if (auto finding = checkRules(*step)) {
      if (finding->code == FaultCode::UPROG) // which micro-op
        finding->address = microOpAddress(*step, finding->address);
      return stopAt(index, header, *finding);
    }
    if (watchdog && elementsOf(*step) > kElementsPerCycle * double(watchdog))
      return stopAt(
          index, header,
          {FaultCode::WATCHDOG, 0,
           fmt::format("more elements than the {} cycles that the watchdog allows", watchdog)});
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
  // The machine has no more SRAM than its configuration says, whatever the caller does.
  Limits own = limits;
  own[kSramSpace].sizeBytes = std::min<uint64_t>(own[kSramSpace].sizeBytes, config.sramBytes);
  Loader loader(bytes, *stream, own, options.watchdogCycles);
  loader.read();
  // Time before races: work that takes too long is not looked at byte by byte.
  if (!loader.fault)
    loader.takeTime(config, program.times);
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
