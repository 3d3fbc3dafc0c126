# SPDX-License-Identifier: Apache-2.0
"""An NPU as a table: the reference kernels' bits on networks and operators, and its reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import (
    BUILD,
    NETWORKS,
    OPERATORS,
    ROOT,
    Model,
    describe_difference,
    models_of,
    run_arrays,
    tenon,
)

pytestmark = pytest.mark.needs("tflite")
PLUGIN = BUILD / "lib" / "whole_backend.so"
TARGET = ["--plugin", str(PLUGIN), "--target", "whole"]
WORDS = ("CONV", "ADD", "POOL", "uint8")


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENON_DEVICE_PATH", str(BUILD / "lib" / "whole_device.so"))


def check(model: Model, folder: Path, *options: str) -> None:
    run = model.runs()[0]
    result, outputs = run_arrays(model.path, model.inputs(run), folder, *options)
    assert result.code == 0, result.err
    for want, got in zip(model.outputs(run), outputs, strict=True):
        assert describe_difference(want, got) is None


@pytest.mark.parametrize("model", models_of(NETWORKS), ids=lambda model: model.name)
def test_networks(model: Model, tmp_path: Path) -> None:
    report = tenon("explain", model.path, *TARGET, "--json").json()
    on_whole = {row["type"] for row in report["operators"] if row["target"] == "whole"}
    assert on_whole & {"CONV_2D", "FULLY_CONNECTED"}
    on_host = {row["type"] for row in report["operators"] if row["target"] == "host"}
    assert not on_host & {"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "ADD"}
    check(model, tmp_path, *TARGET)


OPERATOR_MODELS = [
    model for model in models_of(OPERATORS) if any(word in model.name for word in WORDS)
]


@pytest.mark.parametrize("model", OPERATOR_MODELS, ids=lambda model: model.name)
def test_operators(model: Model, tmp_path: Path) -> None:
    package = tmp_path / "package.tenon"
    host = tenon("compile", model.path, "--target", "host", "-o", package)
    if host.code != 0:
        pytest.skip(f"no target compiles it: {host.reason}")
    check(model, tmp_path, *TARGET)


def test_every_tensor_equals_the_hosts(tmp_path: Path) -> None:
    model = NETWORKS / "resnet8_int8.tflite"
    report = tenon("compare", model, *TARGET, "--against", "host", "--json").json()
    assert report["equal"]
    assert {"ADD", "CONV_2D"} <= {
        row["type"] for row in report["operators"] if row["status"] == "equal"
    }


def test_package_tells_operators_of_calls(tmp_path: Path) -> None:
    package = tmp_path / "package.tenon"
    model = NETWORKS / "mobilenet_v1_0.25_128_quant.tflite"
    assert tenon("compile", model, *TARGET, "-o", package).code == 0
    parts = tenon("inspect", package, "--json").json()["partitions"]
    assert [part["target"] for part in parts] == ["whole", "host"]
    assert parts[0]["device_abi"] == 3
    assert parts[0]["scratch_bytes"] > 0


def test_estimate_says_that_there_is_no_timing_model() -> None:
    result = tenon("estimate", NETWORKS / "kws_ds_cnn_int8.tflite", *TARGET)
    assert result.code == 1
    assert "no timing model for the commands of whole" in result.reason


def test_refusals_name_rule_value_and_limit() -> None:
    model = OPERATORS / "hannk_misc_bad_broadcast_add.tflite"
    rows = tenon("explain", model, *TARGET, "--json").json()["operators"]
    reasons = [row["reason"] for row in rows if row["type"] == "ADD"]
    assert [reason["rule"] for reason in reasons] == ["whole.add.broadcast"]
    assert reasons[0]["remedy"] == "give both operands the result's shape"


def test_unknown_configuration() -> None:
    model = NETWORKS / "kws_ds_cnn_int8.tflite"
    result = tenon("compile", model, "--plugin", PLUGIN, "--target", "whole:slow")
    assert result.code == 1
    assert 'target whole: no configuration is named "slow"; there are: fast' in result.reason


def test_a_whole_npu_is_at_most_600_lines() -> None:
    """What the guide promises: all that is written by hand, the functional model apart."""
    folder = ROOT / "tests" / "library"
    lines = {
        name: len((folder / name).read_text().splitlines())
        for name in ("Commands.h", "NpuTable.cpp", "npu_device.cpp")
    }
    assert lines["Commands.h"] + lines["NpuTable.cpp"] <= 600, lines
