# SPDX-License-Identifier: Apache-2.0
"""Six whole networks, both target mixes: right bits, the expected counts, reproducible packages."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.program import (
    BUILD,
    MIXES,
    NETWORKS,
    PROGRAM,
    ROOT,
    Model,
    describe_difference,
    models_of,
    run_arrays,
    tenon,
)

pytestmark = pytest.mark.needs("tflite", "mortise", "sim")
COUNTS = json.loads((Path(__file__).parent / "counts.json").read_text())
CASES = [pytest.param(m, mix, id=f"{m.name}-{mix}") for m in models_of(NETWORKS) for mix in MIXES]


@pytest.mark.parametrize(("model", "mix"), CASES)
def test_outputs_are_the_reference_kernels(model: Model, mix: str, tmp_path: Path) -> None:
    package = tmp_path / "package.tenon"
    compiled = tenon("compile", model.path, "--target", mix, "-o", package)
    assert compiled.code == 0, compiled.err
    for run in model.runs():
        result, outputs = run_arrays(package, model.inputs(run), tmp_path)
        assert result.code == 0, result.err
        wanted = model.outputs(run)
        assert len(outputs) == len(wanted)
        for index, (want, got) in enumerate(zip(wanted, outputs, strict=True)):
            assert describe_difference(want, got) is None, f"run {run}, output {index}"


@pytest.mark.parametrize(("model", "mix"), CASES)
def test_counts(model: Model, mix: str) -> None:
    """Where operators run is part of what a change must not worsen unseen: see counts.json."""
    report = tenon("explain", model.path, "--target", mix, "--json").json()
    counts = {
        "operators": len(report["operators"]),
        "host_operators": report["host_operators"],
        "partitions": len(report["partitions"]),
    }
    assert counts == COUNTS[model.name][mix]


@pytest.mark.parametrize(("model", "mix"), CASES)
def test_same_input_gives_same_bytes(model: Model, mix: str, tmp_path: Path) -> None:
    """Two runs, from two folders, the model under two paths."""
    hashes = []
    for name in ("a", "b"):
        copy = tmp_path / name / model.path.name
        copy.parent.mkdir()
        shutil.copyfile(model.path, copy)
        package = tmp_path / f"{name}.tenon"
        report = tenon("compile", copy, "--target", mix, "-o", package, "--json").json()
        hashes.append((report["hash"], package.read_bytes()))
    assert hashes[0] == hashes[1]


def test_there_are_six_networks() -> None:
    assert sorted(COUNTS) == sorted(model.name for model in models_of(NETWORKS))
    assert len(COUNTS) == 6


@pytest.fixture(scope="module")
def moved_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program and its libraries in another folder, or another build if TENON_SECOND_BUILD."""
    if second := os.environ.get("TENON_SECOND_BUILD"):
        return Path(second) / "bin" / "tenon"
    folder = tmp_path_factory.mktemp("moved")
    (folder / "bin").mkdir()
    shutil.copy(PROGRAM, folder / "bin" / "tenon.real")
    shutil.copytree(BUILD / "lib", folder / "lib", ignore=shutil.ignore_patterns("*.a"))
    script = folder / "bin" / "tenon"
    script.write_text(
        f'#!/bin/sh\nLD_LIBRARY_PATH="{folder}/lib" exec "{folder}/bin/tenon.real" "$@"\n'
    )
    script.chmod(0o755)
    return script


@pytest.mark.parametrize("mix", MIXES)
def test_another_folder_of_the_program_gives_same_bytes(
    moved_program: Path, mix: str, tmp_path: Path
) -> None:
    model = NETWORKS / "resnet8_int8.tflite"
    arguments = ("compile", model, "--target", mix, "-o")
    assert tenon(*arguments, tmp_path / "a.tenon").code == 0
    moved = tenon(*arguments, tmp_path / "b.tenon", program=moved_program)
    assert moved.code == 0, moved.err
    assert (tmp_path / "a.tenon").read_bytes() == (tmp_path / "b.tenon").read_bytes()


def test_no_path_of_this_machine_is_in_a_package(tmp_path: Path) -> None:
    package = tmp_path / "a.tenon"
    assert tenon("compile", NETWORKS / "resnet8_int8.tflite", "-o", package).code == 0
    content = package.read_bytes()
    for path in (ROOT, BUILD, tmp_path):
        assert str(path).encode() not in content
