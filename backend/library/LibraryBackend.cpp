// SPDX-License-Identifier: Apache-2.0
// A table of composites as a backend, and its plug-in.
#include "backend/library/LibraryBackend.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "backend/library/EmitCode.h"
#include "backend/library/Patterns.h"

namespace tenon::library {
namespace {

uint64_t bytesOf(View view) {
  uint64_t bytes = 0;
  for (const Tensor *tensor : tensorsOf(view)) {
    uint64_t count = 1;
    for (int64_t extent : tensor->shape)
      count *= uint64_t(extent);
    bytes += count;
  }
  return bytes;
}

class LibraryBackend : public backend::Backend {
public:
  LibraryBackend(const Npu &npu, std::string config)
      : npu(npu), text(std::move(config)), rows(rowsOf(npu)), table(makePatterns(npu, rows)) {}

  std::string name() const override { return npu.name; }
  std::string config() const override { return text; }
  const std::vector<std::unique_ptr<backend::Pattern>> &patterns() const override { return table; }
  std::optional<backend::Refusal> takesAlone(mlir::Operation *op) const override {
    return refusalAlone(npu, op);
  }

  backend::Cost cost(mlir::Operation *op) const override {
    auto step = readStep(op, npu.name, rows, false);
    if (!step)
      return {};
    if (std::holds_alternative<Renaming>(step->found.view))
      return {};
    auto *convolution = std::get_if<Convolution>(&step->found.view);
    const double macs = convolution ? double(convolution->macs()) : 0;
    return {uint64_t(std::max(macs / npu.speed.macsPerNs,
                              double(bytesOf(step->found.view)) / npu.speed.bytesPerNs))};
  }
  backend::RegionCost regionCost() const override {
    return {npu.speed.launchNs, uint64_t(1024 / npu.speed.bytesPerNs)};
  }

  backend::CompileResult compile(llvm::ArrayRef<backend::PartitionFunction> functions) override {
    backend::CompileResult result;
    for (auto [index, partition] : llvm::enumerate(functions)) {
      auto made = compileOne(partition);
      if (made)
        result.compiled.partitions.push_back(std::move(*made));
      else
        result.failures.push_back({index, made.error().operators, made.error().refusal});
    }
    return result;
  }

  std::vector<backend::Claim> claims() const override { return claimsOf(npu); }

private:
  tl::unexpected<EmitFailure> failed(const std::string &reason) const {
    return tl::unexpected(EmitFailure{
        {}, {npu.name + ".code", reason, "", "", "mend the plug-in, or leave it to the host"}});
  }

  tl::expected<package::Partition, EmitFailure>
  compileOne(const backend::PartitionFunction &partition) const {
    auto placed = placeFunction(partition.function, npu.name, rows);
    if (!placed)
      return failed(placed.error().message);
    auto code = emitCode(npu, text, *placed);
    if (!code)
      return tl::unexpected(code.error());
    auto commands = link(code->program);
    if (!commands)
      return failed(commands.error().message);
    package::Partition step;
    step.target = npu.name;
    step.kind = package::CodeKind::Device;
    step.symbol = partition.symbol;
    step.deviceConfig = text;
    step.deviceAbi = npu.commandVersion;
    step.commands = std::move(*commands);
    step.constants = std::move(code->constants);
    step.scratchBytes = code->program.scratchBytes;
    addNotes(step, code->notes);
    return step;
  }

  Expected<Bytes> link(const Program &program) const {
    if (!npu.link)
      return writeCallStream(program);
    try {
      return npu.link(program);
    } catch (const std::exception &error) {
      return fail("the link function failed: {}", error.what());
    } catch (...) {
      return fail("the link function failed");
    }
  }

  /// Entry K is of call K: copies, which stand for no operator, have none.
  static void addNotes(package::Partition &step, const std::vector<CallNote> &notes) {
    for (auto [index, note] : llvm::enumerate(notes)) {
      const std::vector<uint32_t> operators(note.operators.begin(), note.operators.end());
      step.debug.push_back({uint32_t(index), uint32_t(index), operators});
      if (!note.composite.empty())
        step.costs.push_back(
            {note.composite, uint32_t(index), operators, note.cycles, note.macs, 0});
    }
  }

  const Npu &npu;
  std::string text;
  std::vector<Row> rows;
  std::vector<std::unique_ptr<backend::Pattern>> table;
};

/// A backend's `create` is told nothing of its plug-in, so each plug-in has a function of its own.
constexpr size_t kSlots = 32;
std::array<const Npu *, kSlots> slots{};

using Create = Expected<std::unique_ptr<backend::Backend>> (*)(mlir::MLIRContext &,
                                                               const std::string &);

template <size_t slot>
Expected<std::unique_ptr<backend::Backend>> createFor(mlir::MLIRContext &context,
                                                      const std::string &config) {
  return createBackend(*slots[slot], context, config);
}

template <size_t... all>
constexpr std::array<Create, kSlots> creators(std::index_sequence<all...>) {
  return {createFor<all>...};
}

Expected<std::unique_ptr<backend::Backend>> createTooMany(mlir::MLIRContext &,
                                                          const std::string &) {
  return fail("more than {} library-style plug-ins in one process; name fewer", kSlots);
}

Expected<std::unique_ptr<backend::Backend>> createForeign(mlir::MLIRContext &,
                                                          const std::string &) {
  return fail("a library-style plug-in was compiled with another C++ library than this compiler; "
              "rebuild the plug-in");
}

/// An offer that remembers its table.
struct LibraryPlugin : backend::BackendPlugin {
  const Npu *npu;
};

std::vector<std::string> configsOf(const backend::BackendPlugin &self) {
  return static_cast<const LibraryPlugin &>(self).npu->configs;
}

bool isOurs(const TableAbi &abi) {
  const TableAbi ours;
  return abi.interfaceVersion == ours.interfaceVersion && abi.tableBytes == ours.tableBytes &&
         abi.viewBytes == ours.viewBytes;
}

/// The function that makes \p npu's backends.
Create creatorOf(const Npu &npu) {
  static constexpr auto kCreators = creators(std::make_index_sequence<kSlots>());
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto slot = std::ranges::find(slots, &npu);
  if (slot == slots.end())
    slot = std::ranges::find(slots, nullptr);
  if (slot == slots.end())
    return createTooMany;
  *slot = &npu;
  return kCreators[slot - slots.begin()];
}

} // namespace

Expected<std::unique_ptr<backend::Backend>>
createBackend(const Npu &npu, mlir::MLIRContext &context, const std::string &config) {
  if (auto ok = validate(npu); !ok)
    return fail(ok.error(), "target " + npu.name);
  if (!config.empty() && std::ranges::count(npu.configs, config) == 0)
    return fail("target {}: no configuration is named \"{}\"; {}", npu.name, config,
                npu.configs.empty() ? "it has none"
                                    : fmt::format("there are: {}", fmt::join(npu.configs, ", ")));
  context.loadDialect<mlir::tosa::TosaDialect, mlir::func::FuncDialect, ir::TenonDialect>();
  return std::make_unique<LibraryBackend>(npu, config);
}

const backend::BackendPlugin *makePlugin(const Npu &npu, const TableAbi &abi) {
  // Alive as long as the process, like the plug-in.
  static std::mutex mutex;
  static std::vector<std::unique_ptr<LibraryPlugin>> plugins;
  const std::lock_guard lock(mutex);
  // A table of another version may have another layout: not even its name can be read.
  LibraryPlugin made{{abi.interfaceVersion, "unknown", "", createForeign}, &npu};
  made.abi.layout = abi.tableBytes;
  if (isOurs(abi))
    made = {
        {abi.interfaceVersion, npu.name.c_str(), npu.summary.c_str(), creatorOf(npu), configsOf},
        &npu};
  plugins.push_back(std::make_unique<LibraryPlugin>(made));
  return plugins.back().get();
}

} // namespace tenon::library
