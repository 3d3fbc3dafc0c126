# SPDX-License-Identifier: Apache-2.0
"""The commands on a graph of one operator and the host alone: right values worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tests.program import ROOT, run_arrays, tenon

GRAPH = ROOT / "tests" / "cli" / "clamp.mlir"
HOST = ("--target", "host")
X = np.array([[0, 4, 5, 6, 127, -5, -6, -128]], np.int8)
Y = np.array([[0, 4, 5, 5, 5, -5, -5, -5]], np.int8)


def test_run_model_and_package(tmp_path: Path) -> None:
    result, outputs = run_arrays(GRAPH, [X], tmp_path, *HOST, "--json")
    report = result.json()
    assert np.array_equal(outputs[0], Y)
    assert outputs[0].dtype == np.int8
    assert report["outputs"][0]["name"] == "y"
    assert [step["target"] for step in report["steps"]] == ["host"]
    package = tmp_path / "p.tenon"
    assert tenon("compile", GRAPH, *HOST, "-o", package).code == 0
    _, again = run_arrays(package, [X], tmp_path)
    assert np.array_equal(again[0], Y)


def test_run_by_name_and_text(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    result = tenon("run", GRAPH, *HOST, "--input", f"x={tmp_path}/x.npy")
    assert result.out.startswith('output 0 "y" int8[1,8]: 0 4 5 5 5 -5 -5 -5\n')


def test_labels(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    labels = tmp_path / "labels.txt"
    labels.write_text("a\nb\nc\nd\ne\nf\ng\nh\n")
    options = ("--input", tmp_path / "x.npy", "--labels", labels, "--json")
    top = tenon("run", GRAPH, *HOST, *options).json()["top"]
    assert [(row["label"], row["score"]) for row in top] == [
        ("c", 2.5),
        ("d", 2.5),
        ("e", 2.5),
        ("b", 2.0),
        ("a", 0.0),
    ]


def test_explain() -> None:
    report = tenon("explain", GRAPH, *HOST, "--json").json()
    assert report["operators"][0]["index"] == 0
    assert report["operators"][0]["name"] == "y"
    assert report["operators"][0]["type"] == "RELU_N1_TO_1"
    assert report["operators"][0]["reason"] is None
    assert report["host_operators"] == 1
    assert report["partitions"] == [{"target": "host", "operators": [0]}]


def test_inspect(tmp_path: Path) -> None:
    package = tmp_path / "p.tenon"
    compiled = tenon("compile", GRAPH, *HOST, "-o", package, "--json").json()
    report = tenon("inspect", package, "--json").json()
    assert report["hashes"]["file"] == compiled["hash"]
    assert report["inputs"][0]["type"] == "int8"
    assert report["inputs"][0]["shape"] == [1, 8]
    assert report["inputs"][0]["scale"] == 0.5


def test_compare_with_files(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    reference = tmp_path / "reference"
    reference.mkdir()
    np.save(reference / "y.npy", Y)
    arguments = ("compare", GRAPH, *HOST, "--input", tmp_path / "x.npy", "--against", reference)
    assert tenon(*arguments, "--json").json()["equal"]
    wrong = Y.copy()
    wrong[0, 6] = -3
    np.save(reference / "y.npy", wrong)
    result = tenon(*arguments, "--json")
    assert result.code == 1
    report = json.loads(result.out)
    assert report["first_difference"] == {"index": 0, "name": "y", "type": "RELU_N1_TO_1"}
    assert report["operators"][0]["different"] == 1
    assert report["operators"][0]["largest_difference"] == 2
    np.save(reference / "y.npy", Y.astype(np.int16))
    mismatch = tenon(*arguments)
    assert mismatch.code == 1
    assert 'operator 0 "y" (RELU_N1_TO_1)' in mismatch.reason


def test_estimate_has_nothing_to_say() -> None:
    result = tenon("estimate", GRAPH, *HOST)
    assert result.code == 1
    assert "nothing runs on a device" in result.reason


def test_same_input_gives_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert tenon("compile", GRAPH, *HOST, "-o", tmp_path / name).code == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
