// SPDX-License-Identifier: Apache-2.0
// tenon inspect: what a package holds, down to single commands.
#include <CLI/CLI.hpp>

#include "hardware/mortise/Stream.h"
#include "tools/tenon/Array.h"
#include "tools/tenon/Commands.h"
#include "tools/tenon/Json.h"
#include "tools/tenon/ModelOptions.h"

namespace tenon::cli {
namespace {

using package::CodeKind;
using package::Hashes;
using package::Package;
using package::Partition;
using package::Tensor;

Json jsonOf(const Tensor &tensor) {
  return {{"name", tensor.name},
          {"type", package::nameOf(tensor.type)},
          {"shape", tensor.shape},
          {"scale", tensor.scale},
          {"zero_point", tensor.zeroPoint}};
}

Json jsonOf(const Package &package, const std::vector<uint32_t> &tensors) {
  Json rows = Json::array();
  for (uint32_t index : tensors)
    rows.push_back(jsonOf(package.tensors[index]));
  return rows;
}

Json jsonOf(const Package &package, const Partition &partition) {
  return {{"target", partition.target},
          {"kind", partition.kind == CodeKind::Host ? "host" : "device"},
          {"operators", partition.operators},
          {"inputs", jsonOf(package, partition.inputs)},
          {"outputs", jsonOf(package, partition.outputs)},
          {"command_bytes", partition.commands.size()},
          {"constant_bytes", partition.constants.size()},
          {"scratch_bytes", partition.scratchBytes},
          {"device_abi", partition.deviceAbi}};
}

Json jsonOf(const Package &package, const Hashes &hashes, size_t bytes) {
  Json hostCode = Json::array(), partitions = Json::array();
  for (const auto &code : package.hostCode)
    hostCode.push_back({{"triple", code.triple}, {"cpu", code.cpu}, {"bytes", code.image.size()}});
  for (const Partition &partition : package.partitions)
    partitions.push_back(jsonOf(package, partition));
  return {{"model", package.modelName},
          {"bytes", bytes},
          {"format_version", package::kFormatVersion},
          {"compiler_version", package.compilerVersion},
          {"hashes",
           {{"ir", toHex(hashes.ir)},
            {"streams", toHex(hashes.streams)},
            {"constants", toHex(hashes.constants)},
            {"file", toHex(hashes.file)}}},
          {"inputs", jsonOf(package, package.inputs)},
          {"outputs", jsonOf(package, package.outputs)},
          {"operators", package.operators.size()},
          {"arena_bytes", package.arenaBytes},
          {"host_code", hostCode},
          {"partitions", partitions}};
}

std::string textOf(const Package &package, const char *what, const std::vector<uint32_t> &tensors) {
  std::string text;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &tensor = package.tensors[tensors[i]];
    text += fmt::format("{} {} \"{}\" {}", what, i, printable(tensor.name),
                        describe(tensor.type, tensor.shape));
    text += tensor.scale > 0
                ? fmt::format(", scale {:.8g}, zero point {}\n", tensor.scale, tensor.zeroPoint)
                : "\n";
  }
  return text;
}

std::string textOf(const Package &package, const Hashes &hashes, size_t bytes) {
  std::string text = fmt::format(
      "{}: {} bytes, format {}, made by tenon {}\nir {}\nstreams {}\nconstants {}\nfile {}\n",
      printable(package.modelName), bytes, package::kFormatVersion,
      printable(package.compilerVersion), toHex(hashes.ir), toHex(hashes.streams),
      toHex(hashes.constants), toHex(hashes.file));
  text += textOf(package, "input", package.inputs) + textOf(package, "output", package.outputs);
  for (const auto &code : package.hostCode)
    text += fmt::format("host code for {} {}: {} bytes\n", printable(code.triple),
                        printable(code.cpu), code.image.size());
  text += fmt::format("arena {} bytes\n", package.arenaBytes);
  for (size_t i = 0; i < package.partitions.size(); ++i) {
    const Partition &p = package.partitions[i];
    text += fmt::format("partition {} on {}: {} operators, {} inputs, {} outputs, {} bytes of "
                        "commands, {} of constants, {} of scratch\n",
                        i, printable(p.target), p.operators.size(), p.inputs.size(),
                        p.outputs.size(), p.commands.size(), p.constants.size(), p.scratchBytes);
  }
  return text;
}

/// The debug table's lines for partition \p p: which command begins which operators.
std::string debugText(const Package &package, const Partition &p) {
  std::string text;
  for (const package::DebugEntry &entry : p.debug) {
    text += fmt::format("; from command {}: tag {}, operators", entry.firstCommand, entry.layerTag);
    for (uint32_t index : entry.operators) {
      text += fmt::format(" {}", index);
      for (const package::Operator &op : package.operators)
        if (op.index == index)
          text += fmt::format(" \"{}\" ({})", printable(op.name), printable(op.type));
    }
    text += "\n";
  }
  return text;
}

/// Text of every stream; the container's own magic tells what can be disassembled.
std::string disassembly(const Package &package) {
  std::string text;
  for (size_t i = 0; i < package.partitions.size(); ++i) {
    const Partition &p = package.partitions[i];
    if (p.kind != CodeKind::Device)
      continue;
    text += fmt::format("\npartition {} on {}\n", i, printable(p.target)) + debugText(package, p);
    auto stream = mortise::readStream(p.commands);
    text += stream ? mortise::disassemble(*stream)
                   : fmt::format("; no disassembler: {}\n", printable(stream.error().message));
  }
  return text;
}

class InspectCommand : public Command {
public:
  void declare(CLI::App &app) override {
    model.declare(app, "MODEL|PACKAGE");
    app.add_flag("--disassemble", disassemble, "Print the command streams");
    app.add_flag("--json", json, "Print a JSON object");
  }

  Expected<ExitCode> run() override {
    auto loaded = loadFile(model);
    if (!loaded)
      return tl::unexpected(loaded.error());
    auto hashes = package::readHashes(loaded->bytes);
    if (!hashes)
      return fail(hashes.error(), model.path);
    return report(*loaded, *hashes).map([] { return kDone; });
  }

private:
  Expected<void> report(const LoadedPackage &loaded, const Hashes &hashes) {
    const std::string streams = disassemble ? disassembly(loaded.package) : "";
    if (!json)
      return print(textOf(loaded.package, hashes, loaded.bytes.size()) + streams);
    Json all = jsonOf(loaded.package, hashes, loaded.bytes.size());
    if (disassemble)
      all["disassembly"] = streams;
    return printJson(all);
  }

  ModelOptions model;
  bool disassemble = false, json = false;
};

} // namespace

std::unique_ptr<Command> makeInspectCommand() { return std::make_unique<InspectCommand>(); }

} // namespace tenon::cli
