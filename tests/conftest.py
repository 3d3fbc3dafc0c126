# SPDX-License-Identifier: Apache-2.0
"""Fails once, clearly, if the program is not built; skips what this source tree has no part for."""

from __future__ import annotations

import pytest

from tests.program import PROGRAM, ROOT

#: A part, and the sources that complete it. What is in the tree is tested, always.
PARTS = {
    "tflite": "frontend/tflite/Import.cpp",
    "mortise": "backend/mortise/Plugin.cpp",
    "sim": "runtime/device/sim/*.cpp",
}


def pytest_sessionstart(session: pytest.Session) -> None:
    if not PROGRAM.exists():
        raise pytest.UsageError(f"{PROGRAM} is not there; run scripts/test, or set TENON_BUILD")


def needs_of(item: pytest.Item) -> set[str]:
    """What @pytest.mark.needs says; a test of the host alone does without the NPU."""
    needs = {part for mark in item.iter_markers("needs") for part in mark.args}
    callspec = getattr(item, "callspec", None)
    if callspec and callspec.params.get("mix") == "host":
        needs -= {"mortise", "sim"}
    return needs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = {part for part, sources in PARTS.items() if not any(ROOT.glob(sources))}
    for item in items:
        for part in sorted(needs_of(item) & missing):
            item.add_marker(pytest.mark.skip(f"{PARTS[part]} is not in this tree"))
