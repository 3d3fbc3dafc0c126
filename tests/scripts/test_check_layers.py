# SPDX-License-Identifier: Apache-2.0
"""scripts/check-layers finds planted breaches and passes this tree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def check(root: Path) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "check-layers"
    return subprocess.run(
        [sys.executable, str(script), str(root)], capture_output=True, text=True, check=False
    )


def plant(root: Path, path: str, line: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True)
    file.write_text(f"// first line\n{line}\n")


def test_this_tree_is_clean() -> None:
    result = check(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("support/A.h", "package/Package.h"),
        ("simulator/A.cpp", "package/Package.h"),
        ("frontend/tflite/A.cpp", "frontend/onnx/B.h"),
        ("backend/host/A.cpp", "backend/mortise/B.h"),
        ("backend/mortise/A.cpp", "simulator/B.h"),
        ("partition/A.cpp", "transforms/B.h"),
        ("partition/A.cpp", "backend/host/B.h"),
        ("compiler/A.cpp", "runtime/api/tenon.h"),
        ("compiler/A.cpp", "simulator/B.h"),
        ("runtime/session/A.cpp", "compiler/Compiler.h"),
        ("runtime/session/A.cpp", "mlir/IR/Operation.h"),
        ("ir/A.td", "backend/api/B.td"),
    ],
)
def test_a_breach_is_named(tmp_path: Path, path: str, include: str) -> None:
    plant(tmp_path, path, f'#include "{include}"')
    result = check(tmp_path)
    assert result.returncode == 1
    assert f"{path}:2:" in result.stdout
    assert include in result.stdout


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("backend/mortise/emit/A.cpp", "backend/mortise/plan/B.h"),
        ("frontend/tflite/A.cpp", "frontend/B.h"),
        ("compiler/A.cpp", "backend/mortise/B.h"),
        ("runtime/device/sim/A.cpp", "simulator/B.h"),
        ("backend/mortise/ATest.cpp", "simulator/B.h"),
        ("tools/tenon/A.cpp", "runtime/api/tenon.hpp"),
        ("support/A.h", "fmt/format.h"),
    ],
)
def test_what_the_table_allows_passes(tmp_path: Path, path: str, include: str) -> None:
    plant(tmp_path, path, f'#include "{include}"')
    assert check(tmp_path).returncode == 0


def test_a_folder_without_a_row_is_named(tmp_path: Path) -> None:
    plant(tmp_path, "misc/A.cpp", "int a;")
    result = check(tmp_path)
    assert result.returncode == 1
    assert "folder misc has no row" in result.stdout
