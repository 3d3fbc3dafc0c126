// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: package::read on any bytes, once as they are and once under a good header and
// hash, so that the body's checks are reached. Built with -DTENON_FUZZ=ON; with arguments
// `--seed FOLDER` it writes a valid package to begin from.
#include <cstdlib>

#include "package/Format.h"
#include "package/TestPackage.h"
#include "support/Files.h"

using namespace tenon;

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  if (*argc == 3 && std::string((*argv)[1]) == "--seed") {
    auto written = writeFile(std::string((*argv)[2]) + "/valid.tenon",
                             *package::write(package::makeTestPackage()));
    std::exit(written ? 0 : 1);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ByteSpan bytes(data, size);
  (void)package::read(bytes);
  if (size < package::kHeaderBytes)
    return 0;
  Bytes file = package::makeFile(bytes.subspan(package::kHeaderBytes), "0.1.0");
  // What can be read can be written.
  if (auto package = package::read(file); package && !package::write(*package))
    std::abort();
  return 0;
}
