# SPDX-License-Identifier: Apache-2.0
"""Plug-ins as a user meets them: found or not, good or bad, and what explain makes of refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import BUILD, NETWORKS, ROOT, tenon

NETWORK = NETWORKS / "resnet8_int8.tflite"
GRAPH = ROOT / "tests/install/adds.mlir"
BAD = BUILD / "lib/plugin_bad.so"


def test_devices_tells_what_was_found_and_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("toy_alpha", "toy_alpha_device", "plugin_old"):
        (tmp_path / f"{name}.so").symlink_to(BUILD / f"lib/{name}.so")
    monkeypatch.setenv("TENON_PLUGIN_PATH", f"{tmp_path}:/nowhere")
    monkeypatch.setenv("TENON_DEVICE_PATH", f"{tmp_path}/toy_alpha_device.so:/no-device.so")
    report = tenon("devices", "--plugin", "/none.so", "--json").json()
    alpha = {"name": "alpha", "summary": "a toy for tests", "configs": []}
    assert {**alpha, "origin": f"{tmp_path}/toy_alpha.so"} in report["targets"]
    assert {"uri": "alpha:", "target": "alpha", "origin": f"{tmp_path}/toy_alpha_device.so"} in (
        report["devices"]
    )
    for words in (
        "plugin_old.so: made for backend interface 1, this compiler has 2; rebuild the plug-in",
        "toy_alpha_device.so: is a device library; name it in TENON_DEVICE_PATH",
        "/nowhere: cannot be read: No such file or directory",
        "/none.so: cannot be read: No such file or directory",
        "/no-device.so: cannot open shared object file",
    ):
        assert sum(words in line for line in report["not_loaded"]) == 1, words
    text = tenon("devices", "--plugin", "/none.so").out
    assert "libraries not loaded" in text and "/none.so" in text


@pytest.mark.parametrize("fault", ["compile throws", "compile crashes", "partition missing"])
def test_a_bad_backend_is_a_warning(fault: str, tmp_path: Path) -> None:
    package = tmp_path / "a.tenon"
    result = tenon(
        "compile", GRAPH, "--plugin", BAD, "--target", f"bad:{fault},host", "-o", package, "--json"
    )
    report = result.json()
    assert report["host_operators"] == report["operators"] == 3
    assert [row["target"] for row in report["faults"]] == ["bad"]
    assert result.reason.startswith("warning: target bad: compile ")
    assert str(BAD) in result.reason
    assert tenon("inspect", package).code == 0


def test_summary_ranks_rules() -> None:
    library = str(BUILD / "lib/toy_alpha.so")
    alpha = ["--plugin", library, "--target", "alpha:ADD+max=9000"]
    report = tenon("explain", NETWORK, *alpha, "--json").json()
    summary = report["summary"]
    assert summary["macs"] == sum(op["macs"] for op in report["operators"]) > 0
    first, second = summary["rules"]
    assert first["rule"] == "alpha.operator" and first["share"] == 1
    assert second == {
        "target": "alpha",
        "rule": "alpha.elements",
        "limits": ["9000"],
        "macs": 0,
        "share": 0,
        "operators": [3],
        "remedies": ["use 9000 elements or fewer"],
        "text": "lifting alpha.elements <= 9000 would move 1 operator without MACs to alpha",
    }
    text = tenon("explain", NETWORK, *alpha).out
    assert all(rule["text"] in text for rule in summary["rules"])


@pytest.mark.needs("tflite", "mortise")
def test_each_refusal_is_complete() -> None:
    """Over models that are read at all: rule, value, limit and remedy, none of them empty."""
    refusals = []
    for model in sorted((NETWORKS.parent / "operators").glob("*.tflite"))[::3]:
        result = tenon("explain", model, "--json")
        if result.code == 0:
            refusals += [row for op in result.json()["operators"] for row in op["refusals"]]
    assert len(refusals) >= 10
    assert [row for row in refusals if not all(row.values())] == []
