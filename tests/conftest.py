# SPDX-License-Identifier: Apache-2.0
"""Fails once, clearly, if the program is not built."""

from __future__ import annotations

import pytest

from tests.program import PROGRAM


def pytest_sessionstart(session: pytest.Session) -> None:
    if not PROGRAM.exists():
        raise pytest.UsageError(f"{PROGRAM} is not there; run scripts/test, or set TENON_BUILD")
