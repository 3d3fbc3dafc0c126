# SPDX-License-Identifier: Apache-2.0
"""Help, wrong usage and exit codes of every command."""

from __future__ import annotations

import pytest

from tests.program import tenon

COMMANDS = ["compile", "run", "explain", "estimate", "inspect", "compare", "devices", "new-npu"]


def test_help_lists_every_command() -> None:
    result = tenon("--help")
    assert result.code == 0
    for command in COMMANDS:
        assert command in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_exit_codes(command: str) -> None:
    result = tenon(command, "--help")
    assert result.code == 0
    assert f"  tenon {command}" in result.out.split("Examples:")[1]
    assert "Exit code: 0 done, 1 refused or failed" in result.out
    assert result.err == ""


@pytest.mark.parametrize("command", COMMANDS[:6])
def test_defaults_are_shown(command: str) -> None:
    assert "[mortise:medium,host]" in tenon(command, "--help").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "see tenon --help"),
        (["fly"], '"fly" is no command; see tenon --help'),
        (["--fly"], "see tenon --help"),
        (["run"], "MODEL|PACKAGE is required; see tenon run --help"),
        (["compile", "a", "b"], "see tenon compile --help"),
        (["explain", "a", "--fly"], "--fly; see tenon explain --help"),
        (["compare", "a", "--seed", "x"], "see tenon compare --help"),
        (["compile", "a", "--target"], "see tenon compile --help"),
    ],
)
def test_wrong_usage_is_one_line_and_2(arguments: list[str], words: str) -> None:
    result = tenon(*arguments)
    assert result.code == 2
    assert words in result.reason
    assert result.out == ""


def test_version() -> None:
    assert tenon("--version").out.startswith("tenon 0.")


@pytest.mark.needs("mortise", "sim")
def test_devices() -> None:
    report = tenon("devices", "--json").json()
    names = [row["name"] for row in report["targets"]]
    assert {"host", "mortise"} <= set(names)
    assert set(report["targets"][0]) == {"name", "summary", "configs", "origin"}
    configs = {row["name"]: row["configs"] for row in report["targets"]}
    assert configs["mortise"] == ["large", "medium", "small", "tiny"]
    assert report["not_loaded"] == []
    assert {"uri": "sim:", "target": "mortise", "origin": "built in"} in report["devices"]
    text = tenon("devices").out
    assert all(name in text for name in names)
