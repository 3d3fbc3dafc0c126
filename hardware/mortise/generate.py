#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes from spec.toml and configs/ the C header, the C++ sources and the reference page.

generate.py --out DIR     writes mortise_regs.h, Isa.h, Isa.cpp, Configs.cpp into DIR
generate.py --docs        rewrites docs/mortise-reference.md
generate.py --check       fails if docs/mortise-reference.md is stale
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "mortise-reference.md"
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from generator import c_header, configs, cpp_header, cpp_source, model, page  # noqa: E402


def write_sources(spec: model.Spec, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "mortise_regs.h").write_text(c_header.emit(spec))
    (out / "Isa.h").write_text(cpp_header.emit(spec))
    (out / "Isa.cpp").write_text(cpp_source.emit(spec))
    (out / "Configs.cpp").write_text(configs.emit(HERE / "configs"))


def check_page(text: str) -> int:
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    print("docs/mortise-reference.md is stale: run hardware/mortise/generate.py --docs")
    return 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    spec = model.load(HERE / "spec.toml")
    if arguments.out:
        write_sources(spec, arguments.out)
    if arguments.docs:
        PAGE.write_text(page.emit(spec))
    return check_page(page.emit(spec)) if arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
