# SPDX-License-Identifier: Apache-2.0
"""tenon new-npu: what it writes, and what it leaves alone. tests/install builds and runs the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import tenon


def test_writes_what_it_lists(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    report = tenon("new-npu", "acme", "--output", folder, "--json").json()
    assert report["name"] == "acme"
    assert report["folder"] == str(folder)
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert there == set(report["files"])
    assert f"cmake -S {folder} -B {folder}/build" in report["next"]
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


def test_says_what_comes_next(tmp_path: Path) -> None:
    out = tenon("new-npu", "acme", "--output", tmp_path / "acme").out
    assert "cmake --build" in out
    for heading in ("patterns", "constraints", "code", "device"):
        assert heading in out


def test_leaves_a_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    for target in (tmp_path, tmp_path / "mine"):
        result = tenon("new-npu", "acme", "--output", target)
        assert result.code == 1
        assert result.reason == f"{target}: is there already; name another folder with --output"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["Acme", "2acme", "a-b", "../a", "a b"])
def test_names_are_lower_case_words(name: str, tmp_path: Path) -> None:
    result = tenon("new-npu", name, "--output", tmp_path / "x")
    assert result.code == 1
    assert "use lower-case letters, digits and _, a letter first" in result.reason
    assert not list(tmp_path.iterdir())


def test_targets_keep_their_names(tmp_path: Path) -> None:
    result = tenon("new-npu", "host", "--output", tmp_path / "x")
    assert result.reason == '"host" is a target already; use another name'
