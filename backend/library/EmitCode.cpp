// SPDX-License-Identifier: Apache-2.0
// Runs code functions, each behind a guard, and collects bytes, constants and scratch.
#include "backend/library/EmitCode.h"

#include <map>

#include "support/Checked.h"

namespace tenon::library {
namespace {

constexpr uint64_t kAlignment = 64;

/// The constants of a partition, equal ones once.
class ConstantPool {
public:
  Place add(const void *data, size_t sizeBytes) {
    const auto *raw = static_cast<const uint8_t *>(data);
    auto [found, isNew] = offsets.try_emplace(Bytes(raw, raw + sizeBytes), bytes.size());
    if (isNew) {
      bytes.insert(bytes.end(), raw, raw + sizeBytes);
      padTo(bytes, kAlignment);
    }
    return {Region::Constants, 0, found->second, sizeBytes};
  }
  Bytes take() { return std::move(bytes); }

private:
  Bytes bytes;
  std::map<Bytes, uint64_t> offsets;
};

class CallEmitter final : public Emitter {
public:
  CallEmitter(ConstantPool &pool, const std::string &text, uint64_t scratchStart)
      : pool(pool), text(text), scratchEnd(scratchStart) {}

  void putBytes(const void *data, size_t sizeBytes) override {
    const auto *raw = static_cast<const uint8_t *>(data);
    call.bytes.insert(call.bytes.end(), raw, raw + sizeBytes);
  }
  Place constantBytes(const void *data, size_t sizeBytes) override {
    call.operands.push_back(pool.add(data, sizeBytes));
    return call.operands.back();
  }
  Place scratch(uint64_t sizeBytes) override {
    const uint64_t offset = alignUp(scratchEnd, kAlignment);
    const auto end = checkedAdd(offset, sizeBytes);
    if (!end || *end > package::kMaxArenaBytes)
      throw std::length_error(
          fmt::format("{} bytes of scratch exceed {}", sizeBytes, package::kMaxArenaBytes));
    scratchEnd = *end;
    call.operands.push_back({Region::Scratch, 0, offset, sizeBytes});
    return call.operands.back();
  }
  void refuse(const std::string &rule, const std::string &reason, const std::string &value,
              const std::string &limit, const std::string &remedy) override {
    if (!refusal)
      refusal = {rule, reason, value, limit, remedy};
  }
  void setCycles(uint64_t count) override { cycles = count; }
  const std::string &config() const override { return text; }

  ProgramCall call;
  std::optional<backend::Refusal> refusal;
  uint64_t cycles = 0;

  uint64_t scratchBytes() const { return scratchEnd; }

private:
  ConstantPool &pool;
  const std::string &text;
  uint64_t scratchEnd;
};

/// Calls the function of \p code that takes \p view.
void callCode(const Code &code, const View &view, Emitter &emitter) {
  std::visit(
      [&](auto function, const auto &work) {
        if constexpr (std::is_invocable_v<decltype(function), decltype(work), Emitter &>)
          function(work, emitter);
      },
      code, view);
}

/// Nothing if the code was written.
std::optional<backend::Refusal> callGuarded(const Step &step, CallEmitter &emitter) {
  try {
    callCode(step.row.composite->code, step.found.view, emitter);
    return emitter.refusal;
  } catch (const std::exception &error) {
    return backend::Refusal{"code", error.what(), "", "", "mend the plug-in's code function"};
  } catch (...) {
    return backend::Refusal{"code", "the code function failed", "", "",
                            "mend the plug-in's code function"};
  }
}

uint64_t macsOf(const View &view) {
  auto *convolution = std::get_if<Convolution>(&view);
  return convolution ? uint64_t(convolution->macs()) : 0;
}

class Writer {
public:
  Writer(const Npu &npu, const std::string &config, const PlacedFunction &placed)
      : npu(npu), config(config), placed(placed) {}

  tl::expected<EmittedCode, EmitFailure> run() {
    code.program.inputBytes = placed.inputBytes, code.program.outputBytes = placed.outputBytes;
    code.program.scratchBytes = placed.scratchBytes;
    for (const Step &step : placed.steps)
      if (!std::holds_alternative<Renaming>(step.found.view))
        if (auto failure = emit(step))
          return tl::unexpected(std::move(*failure));
    for (const OutputCopy &copy : placed.copies)
      add({"", {copy.from, copy.to}, 1, {}}, {"", {}, 0, 0});
    code.constants = pool.take();
    return std::move(code);
  }

private:
  void add(ProgramCall call, CallNote note) {
    code.program.calls.push_back(std::move(call));
    code.notes.push_back(std::move(note));
  }

  std::optional<EmitFailure> emit(const Step &step) {
    const std::string &name = step.row.composite->name;
    CallEmitter emitter(pool, config, placed.scratchBytes);
    View view = step.found.view;
    for (const Tensor *tensor : tensorsOf(view))
      emitter.call.operands.push_back(tensor->place);
    emitter.call.inputs = uint32_t(emitter.call.operands.size() - 1);
    if (auto refusal = callGuarded(step, emitter)) {
      refusal->rule = npu.name + "." + name + "." + refusal->rule;
      return EmitFailure{step.operators(), std::move(*refusal)};
    }
    emitter.call.composite = name;
    code.program.scratchBytes = std::max(code.program.scratchBytes, emitter.scratchBytes());
    add(std::move(emitter.call),
        {npu.name + "." + name, step.operators(), macsOf(step.found.view), emitter.cycles});
    return std::nullopt;
  }

  const Npu &npu;
  const std::string &config;
  const PlacedFunction &placed;
  ConstantPool pool;
  EmittedCode code;
};

} // namespace

tl::expected<EmittedCode, EmitFailure> emitCode(const Npu &npu, const std::string &config,
                                                const PlacedFunction &placed) {
  return Writer(npu, config, placed).run();
}

} // namespace tenon::library
