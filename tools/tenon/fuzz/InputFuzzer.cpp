// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the readers of input files, .npy and pictures, on any bytes. With arguments
// `--seed FOLDER` it writes a file of each to begin from.
#include <cstdlib>

#include "support/Files.h"
#include "tools/tenon/Image.h"
#include "tools/tenon/Npy.h"

using namespace tenon;

namespace {

bool writeSeeds(const std::string &folder) {
  Bytes picture = {'B', 'M'};
  for (uint32_t word : {54, 0, 54, 40, 1, 1, 24 << 16 | 1})
    append(picture, word);
  picture.resize(58);
  const cli::Array array{package::ElementType::F32, {2, 3}, Bytes(24)};
  return writeFile(folder + "/array", cli::formatNpy(array)) &&
         writeFile(folder + "/picture", picture);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  if (*argc == 3 && std::string((*argv)[1]) == "--seed")
    std::exit(writeSeeds((*argv)[2]) ? 0 : 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const ByteSpan bytes(data, size);
  // What can be read is written the same, and read again.
  if (auto array = cli::parseNpy(bytes)) {
    auto again = cli::parseNpy(cli::formatNpy(*array));
    if (!again || again->data != array->data || again->shape != array->shape)
      std::abort();
  }
  (void)cli::imageAsInput(bytes, package::ElementType::I8, {1, 8, 8, 3});
  return 0;
}
