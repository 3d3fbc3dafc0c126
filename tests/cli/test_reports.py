# SPDX-License-Identifier: Apache-2.0
"""What explain, estimate, inspect, compile and compare print, keys and meaning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.program import NETWORKS, Model, tenon

pytestmark = pytest.mark.needs("tflite", "mortise", "sim")
MODEL = Model(NETWORKS / "kws_ds_cnn_int8.tflite")
REASON = {"rule", "value", "limit", "remedy"}


@pytest.fixture(scope="module")
def explained() -> Any:
    return tenon("explain", MODEL.path, "--json").json()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("package") / "kws.tenon"
    assert tenon("compile", MODEL.path, "-o", path).code == 0
    return path


def test_explain_keys(explained: Any) -> None:
    assert {"operators", "host_operators", "partitions"} <= set(explained)
    for op in explained["operators"]:
        assert {"index", "name", "type", "target", "reason"} <= set(op)
        assert op["reason"] is None or set(op["reason"]) == REASON
        for refusal in op["refusals"]:
            assert set(refusal) == {"target", *REASON}
    for part in explained["partitions"]:
        assert set(part) == {"target", "operators"}


def test_explain_covers_each_operator_once(explained: Any) -> None:
    indices = [op["index"] for op in explained["operators"]]
    assert indices == list(range(13))
    in_partitions = sorted({i for part in explained["partitions"] for i in part["operators"]})
    assert in_partitions == indices
    on_host = sum(op["target"] == "host" for op in explained["operators"])
    assert explained["host_operators"] == on_host
    types = {op["type"] for op in explained["operators"]}
    assert {"CONV_2D", "DEPTHWISE_CONV_2D", "SOFTMAX"} <= types


def test_explain_host_alone_has_no_reason() -> None:
    report = tenon("explain", MODEL.path, "--target", "host", "--json").json()
    assert report["host_operators"] == 13
    assert all(op["reason"] is None for op in report["operators"])


def test_explain_text_agrees(explained: Any) -> None:
    text = tenon("explain", MODEL.path).out
    for op in explained["operators"]:
        assert op["name"] in text and op["type"] in text
    assert f"13 operators, {explained['host_operators']} on the host" in text


ESTIMATE = {
    "target",
    "cycles",
    "milliseconds",
    "macs",
    "utilization",
    "dram_bytes",
    "dram_minimum_bytes",
    "machine_bound_cycles",
    "roofline_cycles",
    "untimed",
    "layers",
}


def test_estimate_keys_and_bounds(package: Path) -> None:
    report = tenon("estimate", package, "--json").json()
    assert set(report) == ESTIMATE
    assert report["target"] == "mortise:medium"
    assert report["cycles"] >= report["machine_bound_cycles"] >= report["roofline_cycles"] > 0
    assert report["dram_bytes"] >= report["dram_minimum_bytes"] > 0
    assert 0 < report["utilization"] <= 1
    assert report["milliseconds"] == pytest.approx(report["cycles"] / 1e6)
    assert sum(layer["macs"] for layer in report["layers"]) == report["macs"]
    assert all(layer["name"] and layer["operators"] for layer in report["layers"])


def test_estimate_is_what_the_simulator_takes(package: Path, tmp_path: Path) -> None:
    """One timing model: the estimate's cycles are the run's."""
    np.save(tmp_path / "in.npy", MODEL.inputs("r0")[0])
    run = tenon("run", package, "--input", tmp_path / "in.npy", "--json").json()
    estimate = tenon("estimate", package, "--json").json()
    assert sum(step["cycles"] for step in run["steps"]) == estimate["cycles"]


def test_estimate_follows_the_configuration() -> None:
    cycles = {
        config: tenon("estimate", MODEL.path, "--target", f"mortise:{config}", "--json").json()
        for config in ("small", "medium")
    }
    assert cycles["small"]["cycles"] > cycles["medium"]["cycles"]


def test_estimate_of_the_host_alone_is_refused() -> None:
    result = tenon("estimate", MODEL.path, "--target", "host")
    assert result.code == 1
    assert "nothing runs on a device" in result.reason


def test_compile_reports_the_file(tmp_path: Path) -> None:
    path = tmp_path / "p.tenon"
    report = tenon("compile", MODEL.path, "-o", path, "--json").json()
    assert report["bytes"] == path.stat().st_size
    assert report["operators"] == 13
    inspected = tenon("inspect", path, "--json").json()
    assert inspected["hashes"]["file"] == report["hash"]
    assert len(inspected["partitions"]) == report["partitions"]


def test_compile_names_the_package_after_the_model(tmp_path: Path) -> None:
    model = tmp_path / "kws.tflite"
    model.write_bytes(MODEL.path.read_bytes())
    assert tenon("compile", model, "--target", "host").code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kws.tenon", "kws.tflite"]


def test_inspect(package: Path) -> None:
    report = tenon("inspect", package, "--json").json()
    assert report["inputs"][0]["shape"] == [1, 49, 10, 1]
    assert report["inputs"][0]["type"] == "int8"
    assert report["inputs"][0]["scale"] == pytest.approx(0.584703, rel=1e-5)
    assert set(report["hashes"]) == {"ir", "streams", "constants", "file"}
    assert "mortise" in {p["target"] for p in report["partitions"]}
    text = tenon("inspect", package).out
    assert report["hashes"]["file"] in text


def test_disassembly_has_commands_and_operators(package: Path) -> None:
    text = tenon("inspect", package, "--disassemble").out
    assert "MAC_RUN" in text and "DMA_COPY" in text and "END" in text
    assert "(DEPTHWISE_CONV_2D)" in text


COMPARE = {"target", "against", "equal", "first_difference", "operators"}
ROW = {"index", "name", "type", "status", "elements", "different", "largest_difference"}


def test_compare_two_targets() -> None:
    report = tenon("compare", MODEL.path, "--against", "host", "--seed", "5", "--json").json()
    assert set(report) == COMPARE
    assert report["equal"] and report["first_difference"] is None
    assert all(set(row) == ROW for row in report["operators"])
    assert sum(row["status"] == "equal" for row in report["operators"]) >= 8
    assert {row["status"] for row in report["operators"]} <= {"equal", "fused away", "no reference"}


def test_compare_names_the_first_operator_that_differs(tmp_path: Path) -> None:
    """Reference files of two operators, the earlier one changed by one bit."""
    np.save(tmp_path / "in.npy", MODEL.inputs("r0")[0])
    arguments = ("compare", MODEL.path, "--input", tmp_path / "in.npy", "--json")
    reference = tmp_path / "reference"
    reference.mkdir()
    np.save(reference / "0.npy", MODEL.outputs("r0")[0])
    equal = tenon(*arguments, "--against", reference)
    assert equal.json()["equal"]
    rows = equal.json()["operators"]
    assert [row["index"] for row in rows if row["status"] == "equal"] == [12]

    wrong = MODEL.outputs("r0")[0].copy()
    wrong[0, 3] ^= 1
    np.save(reference / "0.npy", wrong)
    result = tenon(*arguments, "--against", reference)
    assert result.code == 1
    report = json.loads(result.out)
    assert report["first_difference"]["index"] == 12
    assert report["first_difference"]["type"] == "SOFTMAX"
    assert report["operators"][12]["different"] == 1
    assert report["operators"][12]["largest_difference"] == 1


def test_compare_with_an_empty_folder(tmp_path: Path) -> None:
    result = tenon("compare", MODEL.path, "--against", tmp_path)
    assert result.code == 1
    assert "no tensor of the model is there to compare" in result.reason
