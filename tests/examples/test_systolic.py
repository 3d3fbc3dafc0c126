# SPDX-License-Identifier: Apache-2.0
"""examples/systolic, built against the installed tree: the reference kernels' bits, its limits."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.program import (
    BUILD,
    NETWORKS,
    OPERATORS,
    ROOT,
    Model,
    Result,
    describe_difference,
    models_of,
    tenon,
)

pytestmark = pytest.mark.needs("tflite", "mortise", "sim")
EXAMPLE = ROOT / "examples" / "systolic"
INSTALLED = BUILD / "tests" / "install" / "work"
PROGRAM = INSTALLED / "prefix" / "bin" / "tenon"
PLUGIN = INSTALLED / "systolic" / "systolic_backend.so"
DEVICE = INSTALLED / "systolic" / "systolic_device.so"
ALONE = "systolic,host"
THREE = "systolic,mortise:small,host"


@pytest.fixture(autouse=True)
def libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (PROGRAM, PLUGIN, DEVICE):
        assert path.exists(), f"{path} is not there; run ctest -R install in the build folder"
    monkeypatch.setenv("TENON_PLUGIN_PATH", str(PLUGIN))
    monkeypatch.setenv("TENON_DEVICE_PATH", str(DEVICE))


def installed(*arguments: str | Path) -> Result:
    return tenon(*arguments, program=PROGRAM)


def network(name: str) -> Path:
    return NETWORKS / f"{name}.tflite"


def explain(model: Path, mix: str) -> Any:
    return installed("explain", model, "--target", mix, "--json").json()


def compile_to(package: Path, model: Path, mix: str) -> Path:
    result = installed("compile", model, "--target", mix, "-o", package)
    assert result.code == 0, result.err
    return package


def check(model: Model, run: str, package: Path) -> None:
    """The reference kernels' bits; files lie beside the package."""
    folder = package.parent
    arguments: list[str | Path] = ["run", package, "--output-dir", folder / run]
    for index, array in enumerate(model.inputs(run)):
        np.save(folder / f"{index}.npy", np.asarray(array, order="C"))
        arguments += ["--input", folder / f"{index}.npy"]
    result = installed(*arguments)
    assert result.code == 0, f"{model.name}: {result.err}"
    for index, want in enumerate(model.outputs(run)):
        got = np.load(folder / run / f"{index}.npy")
        assert describe_difference(want, got) is None, f"{model.name}, run {run}, output {index}"


@pytest.mark.parametrize("mix", [ALONE, THREE])
@pytest.mark.parametrize("model", models_of(NETWORKS), ids=lambda model: model.name)
def test_networks(model: Model, mix: str, tmp_path: Path) -> None:
    package = compile_to(tmp_path / "package.tenon", model.path, mix)
    for run in model.runs():
        check(model, run, package)


def test_operators(tmp_path: Path) -> None:
    """What the table takes of the operator models."""
    taken = 0
    for model in models_of(OPERATORS):
        if not any(word in model.name for word in ("CONV", "ADD", "POOL", "uint8")):
            continue
        rows = explain(model.path, ALONE)["operators"]
        if any(row["target"] == "systolic" for row in rows):
            package = compile_to(tmp_path / "package.tenon", model.path, ALONE)
            check(model, model.runs()[0], package)
            taken += 1
    assert taken >= 10


def test_only_softmax_and_large_averages_stay_on_the_host() -> None:
    for model in models_of(NETWORKS):
        rows = explain(model.path, ALONE)["operators"]
        on_host = {row["type"] for row in rows if row["target"] == "host"}
        assert on_host <= {"SOFTMAX", "AVERAGE_POOL_2D"}, model.name
        assert {"CONV_2D", "FULLY_CONNECTED"} & {
            row["type"] for row in rows if row["target"] == "systolic"
        }


def test_one_network_runs_on_three_targets() -> None:
    rows = explain(network("mobilenet_v2_1.0_224_quant"), THREE)["operators"]
    assert {row["target"] for row in rows} == {"systolic", "mortise", "host"}


def test_a_large_average_is_refused_with_its_limit() -> None:
    rows = explain(network("kws_ds_cnn_int8"), ALONE)["operators"]
    (reason,) = (row["reason"] for row in rows if row["type"] == "AVERAGE_POOL_2D")
    assert reason["rule"] == "systolic.average_pool.window"
    assert (reason["value"], reason["limit"]) == ("125", "16")


def test_cycles_are_the_machines(tmp_path: Path) -> None:
    """ad01 worked by hand: a tile takes 16 cycles to load, 1 row + 31 to multiply."""
    tile = 16 + 1 + 31
    widths = [640, 128, 128, 128, 128, 8, 128, 128, 128, 128, 640]
    wanted = 0
    for columns, channels in pairwise(widths):
        lanes = -(-channels // 16)
        wanted += lanes * (-(-columns // 16) * tile + 1)
    package = compile_to(tmp_path / "package.tenon", network("ad01_int8"), ALONE)
    (array,) = Model(network("ad01_int8")).inputs("r0")
    np.save(tmp_path / "in.npy", array)
    result = installed("run", package, "--input", tmp_path / "in.npy", "--json").json()
    assert [step["cycles"] for step in result["steps"]] == [wanted]


def test_programs_are_the_same_bytes_again(tmp_path: Path) -> None:
    first = compile_to(tmp_path / "a.tenon", network("resnet8_int8"), ALONE)
    second = compile_to(tmp_path / "b.tenon", network("resnet8_int8"), ALONE)
    assert first.read_bytes() == second.read_bytes()


def test_hand_written_lines() -> None:
    """At most 600 without the simulator, and the README shows what the script counts."""
    counted = subprocess.run(
        [EXAMPLE / "count-lines"], capture_output=True, text=True, check=True
    ).stdout
    total = re.search(r"(\d+) without the simulator", counted)
    assert total is not None and int(total.group(1)) <= 600, counted
    readme = (EXAMPLE / "README.md").read_text()
    for line in counted.splitlines():
        assert f"    {line}\n" in readme, f"examples/systolic/README.md lacks {line!r}"
