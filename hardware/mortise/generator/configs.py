# SPDX-License-Identifier: Apache-2.0
"""Emits Configs.cpp: the shipped configuration files as text in the library."""

import json
from pathlib import Path

HEAD = """// SPDX-License-Identifier: Apache-2.0
// The shipped configurations. Generated from configs/*.json; do not edit.
#include "hardware/mortise/Config.h"

namespace tenon::mortise {

std::span<const ShippedConfig> shippedConfigs() {
  static constexpr ShippedConfig kConfigs[] = {
"""

TAIL = """  };
  return kConfigs;
}

} // namespace tenon::mortise
"""


def emit(folder: Path) -> str:
    rows = []
    for path in sorted(folder.glob("*.json")):
        text = json.dumps(json.loads(path.read_text()))
        rows.append(f'      {{"{path.stem}", R"json({text})json"}},\n')
    return HEAD + "".join(rows) + TAIL
