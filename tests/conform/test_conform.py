# SPDX-License-Identifier: Apache-2.0
"""tenon conform passes an honest plug-in and names each planted fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.program import BUILD, describe_difference, run_arrays, tenon

LIB = BUILD / "lib"
WHOLE = LIB / "whole_backend.so"
Rows = list[dict[str, Any]]


def conform(*options: str | Path, device: str = "whole_device", plugin: Path = WHOLE) -> Any:
    """The sheet, and whether the exit code says the same."""
    result = tenon(
        "conform",
        *("--plugin", plugin, "--device-library", LIB / f"{device}.so", "--json", *options),
    )
    assert result.err == ""
    sheet = json.loads(result.out)
    assert result.code == (0 if sheet["passed"] else 1)
    return sheet


def failures(sheet: Any) -> Rows:
    return [case for case in sheet["cases"] if not case["passed"]]


def test_honest_plugin_passes() -> None:
    sheet = conform()
    assert sheet["passed"], failures(sheet)
    rows = {row["composite"]: row for row in sheet["composites"]}
    assert rows["whole.conv2d"]["refused_as_documented"] > 0
    for row in rows.values():
        assert row["right"] == row["taken"]
        assert row["cases"] == row["taken"] + row["refused_as_documented"]
    assert [row["composite"] for row in sheet["not_tried"]] == ["whole.sign_flip"]


def test_same_seed_same_sheet() -> None:
    def cases(seed: str) -> list[str]:
        return [case["case"] for case in conform("--cases", "3", "--seed", seed)["cases"]]

    assert cases("5") == cases("5")
    assert cases("5") != cases("6")


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ("Rounding", {"whole.conv2d", "whole.depthwise", "whole.dense"}),
        ("PoolWindow", {"whole.average_pool", "whole.max_pool"}),
        ("ZeroPoint", {"whole.conv2d", "whole.depthwise", "whole.dense"}),
    ],
)
def test_faulty_device(fault: str, found: set[str]) -> None:
    sheet = conform(device=f"faulty_{fault}_device")
    wrong = failures(sheet)
    assert {case["composite"] for case in wrong} == found
    # A window that reaches outside is seen by the device itself.
    assert "wrong bits" in {case["verdict"] for case in wrong} <= {"wrong bits", "failed"}


def test_claims_less_than_it_takes() -> None:
    wrong = failures(conform("--cases", "0", plugin=LIB / "lying_TakesFive_backend.so"))
    outside = [case for case in wrong if case["verdict"] == "taken outside its claims"]
    assert {case["purpose"] for case in outside} == {
        "stride 5 of rows, just outside",
        "stride 5 of columns, just outside",
    }


def test_claims_more_than_it_takes() -> None:
    wrong = failures(conform("--cases", "0", plugin=LIB / "lying_RefusesFour_backend.so"))
    refused = [case for case in wrong if case["verdict"] == "refused within its claims"]
    assert {case["purpose"] for case in refused} == {
        "stride 4 of rows, at the limit",
        "stride 4 of columns, at the limit",
    }
    assert all("lying.max_pool.stride" in case["detail"] for case in refused)


def test_refusal_that_is_not_claimed() -> None:
    wrong = failures(conform("--cases", "0", plugin=LIB / "refusing_backend.so"))
    refused = [case for case in wrong if case["verdict"] == "refused within its claims"]
    assert "stride 4 of rows, at the limit" in {case["purpose"] for case in refused}
    assert all("whole.max_pool.steps" in case["detail"] for case in refused)


def test_text_names_the_case() -> None:
    result = tenon(
        "conform",
        *("--plugin", WHOLE, "--device-library", LIB / "faulty_PoolWindow_device.so"),
    )
    assert result.code == 1
    assert "wrong bits: whole.max_pool: ordinary: " in result.out
    assert "reference: the host, itself held against LiteRT" in result.out
    assert result.out.splitlines()[-1].startswith("failed: ")


def test_errors_are_one_line() -> None:
    assert "offers 0 targets" in tenon("conform").reason
    assert "claims nothing" in tenon("conform", "--plugin", LIB / "toy_alpha.so").reason
    assert "one target" in tenon("conform", "--target", "host").reason


@pytest.mark.needs("tflite")
def test_host_is_right_by_litert(tmp_path: Path) -> None:
    """The reference of the sheet is LiteRT's, on the cases themselves."""
    interpreter = pytest.importorskip("ai_edge_litert.interpreter")
    conform("--cases", "6", "--write-models", tmp_path)
    models = sorted(tmp_path.glob("*.tflite"))
    assert len(models) > 50
    for model in models:
        reference = interpreter.Interpreter(
            str(model),
            experimental_op_resolver_type=interpreter.OpResolverType.BUILTIN_REF,
        )
        reference.allocate_tensors()
        for first in sorted(tmp_path.glob(f"{model.stem}.input-*-0.npy")):
            inputs = [
                np.load(path)
                for path in sorted(tmp_path.glob(first.name.replace("-0.npy", "-*.npy")))
            ]
            for detail, values in zip(reference.get_input_details(), inputs, strict=True):
                reference.set_tensor(detail["index"], values)
            reference.invoke()
            wanted = reference.get_tensor(reference.get_output_details()[0]["index"])
            result, outputs = run_arrays(model, inputs, tmp_path, "--target", "host")
            assert result.code == 0, result.err
            assert describe_difference(wanted, outputs[0]) is None, model
