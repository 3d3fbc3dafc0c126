// SPDX-License-Identifier: Apache-2.0
// Matches files with inputs and reads them.
#include "tools/tenon/Inputs.h"

#include <filesystem>
#include <random>

#include "support/Files.h"
#include "tools/tenon/Image.h"
#include "tools/tenon/Npy.h"

namespace tenon::cli {
namespace {

using package::ElementType;
using package::Package;
using package::Tensor;

const Tensor &inputOf(const Package &package, size_t index) {
  return package.tensors[package.inputs[index]];
}

std::string describeInput(const Package &package, size_t index) {
  const Tensor &tensor = inputOf(package, index);
  return fmt::format("input {} \"{}\" {}", index, tensor.name, describe(tensor.type, tensor.shape));
}

/// The input that the NAME of NAME=FILE means; nothing if \p item is a plain FILE.
std::optional<size_t> namedInput(const Package &package, const std::string &item,
                                 std::string &file) {
  for (size_t i = 0; i < package.inputs.size(); ++i) {
    const std::string prefix = inputOf(package, i).name + "=";
    if (item.starts_with(prefix)) {
      file = item.substr(prefix.size());
      return i;
    }
  }
  return std::nullopt;
}

/// A file an input, in the model's order.
Expected<std::vector<std::string>> assign(const Package &package,
                                          const std::vector<std::string> &items) {
  std::vector<std::string> files(package.inputs.size());
  for (const std::string &item : items) {
    std::string file = item;
    auto index = namedInput(package, item, file);
    for (size_t i = 0; !index && i < files.size(); ++i)
      if (files[i].empty())
        index = i;
    if (!index)
      return fail("--input {}: the network has {} inputs, each has a file already", item,
                  files.size());
    if (!files[*index].empty())
      return fail("--input {}: {} has a file already", item, describeInput(package, *index));
    files[*index] = file;
  }
  for (size_t i = 0; i < files.size(); ++i)
    if (files[i].empty())
      return fail("{} has no file; give --input FILE for each input", describeInput(package, i));
  return files;
}

Expected<Array> readInput(const Tensor &tensor, const std::string &path) {
  auto bytes = readFile(path);
  if (!bytes)
    return tl::unexpected(bytes.error());
  if (std::filesystem::path(path).extension() != ".npy") {
    auto image = imageAsInput(*bytes, tensor.type, tensor.shape);
    return image ? image : fail(image.error(), path);
  }
  auto array = parseNpy(*bytes);
  if (!array)
    return fail(array.error(), path);
  if (array->type != tensor.type || array->shape != tensor.shape)
    return fail("{}: {} given, input \"{}\" wants {}; convert it with astype and reshape", path,
                describe(array->type, array->shape), tensor.name,
                describe(tensor.type, tensor.shape));
  return array;
}

/// Fills floats in [-1, 1), anything else with random bytes; booleans with 0 and 1.
void randomise(Array &array, std::mt19937_64 &random) {
  const auto unit = [&] { return double(random() >> 11) * 0x1p-52 - 1.0; };
  const size_t size = package::sizeOf(array.type);
  for (size_t at = 0; at < array.data.size(); at += size) {
    uint64_t bits = random();
    if (array.type == ElementType::F16)
      bits = std::bit_cast<uint16_t>(_Float16(unit()));
    else if (array.type == ElementType::F32)
      bits = std::bit_cast<uint32_t>(float(unit()));
    else if (array.type == ElementType::F64)
      bits = std::bit_cast<uint64_t>(unit());
    else if (array.type == ElementType::Bool)
      bits &= 1;
    std::memcpy(array.data.data() + at, &bits, size);
  }
}

} // namespace

Expected<std::vector<Array>> readInputs(const Package &package,
                                        const std::vector<std::string> &items) {
  auto files = assign(package, items);
  if (!files)
    return tl::unexpected(files.error());
  std::vector<Array> inputs;
  for (size_t i = 0; i < files->size(); ++i) {
    auto input = readInput(inputOf(package, i), (*files)[i]);
    if (!input)
      return tl::unexpected(input.error());
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

std::vector<Array> randomInputs(const Package &package, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Array> inputs;
  for (size_t i = 0; i < package.inputs.size(); ++i) {
    const Tensor &tensor = inputOf(package, i);
    Array array{tensor.type, tensor.shape, Bytes(*package::sizeOf(tensor))};
    randomise(array, random);
    inputs.push_back(std::move(array));
  }
  return inputs;
}

} // namespace tenon::cli
