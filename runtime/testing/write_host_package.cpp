// SPDX-License-Identifier: Apache-2.0
// Writes the package of a network that runs on the host alone: `write_host_package OUT`.
#include <cstdio>

#include "runtime/testing/TestNetwork.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  auto file = tenon::package::write(tenon::runtime::makeHostNetwork());
  auto written = file ? tenon::writeFile(argv[1], *file) : tl::unexpected(file.error());
  if (!written)
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return written ? 0 : 1;
}
