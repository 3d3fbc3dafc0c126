#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds backends' names in the code of stages that must treat all backends alike.

usage: find_backend_names.py ROOT     prints each line, exit 1 if there is one
"""

import re
import sys
from pathlib import Path

STAGES = ["ir", "transforms", "partition", "compiler", "backend/api", "package", "frontend"]
ALLOWED = {("compiler/Registry.h", 'inline constexpr const char *kLastResort = "host";')}


def code_of(line: str) -> str:
    """The line without its comment."""
    return re.sub(r"//.*", "", line).strip()


def find_names(root: Path) -> list[str]:
    """Lines that hold a built-in backend's name as a word of its own or as a string's start."""
    names = sorted(path.parent.name for path in (root / "backend").glob("*/Plugin.h"))
    word = re.compile(rf'\b({"|".join(names)})::|"({"|".join(names)})[".:]')
    found = []
    for stage in STAGES:
        for path in sorted((root / stage).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".td"} or "Test" in path.name:
                continue
            where = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if word.search(code_of(line)) and (where, code_of(line)) not in ALLOWED:
                    found.append(f"{where}:{number}: {line.strip()}")
    return found


def main() -> int:
    found = find_names(Path(sys.argv[1]))
    for line in found:
        print(f"{line}: a backend's name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
