// SPDX-License-Identifier: Apache-2.0
// mortise-constraints PAGE [--check]: writes docs/mortise-constraints.md, or says if it is stale.
#include <fstream>
#include <iostream>
#include <sstream>

#include "backend/mortise/select/Constraints.h"

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  const std::string page = tenon::mortise::constraintsPage();
  if (argc == 2)
    return std::ofstream(argv[1]) << page ? 0 : 1;
  std::stringstream there;
  there << std::ifstream(argv[1]).rdbuf();
  if (there.str() == page)
    return 0;
  std::cerr << argv[1] << " is stale; run mortise-constraints " << argv[1] << "\n";
  return 1;
}
