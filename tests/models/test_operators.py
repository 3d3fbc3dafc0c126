# SPDX-License-Identifier: Apache-2.0
"""193 small models, both target mixes: the reference kernels' output, or a refusal known before.

refusals.json lists the refusals; scripts/update-refusals writes it anew. A model may leave the
list by giving right outputs; none may join it unseen, and no output may be wrong.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.program import (
    MIXES,
    OPERATORS,
    Model,
    describe_difference,
    models_of,
    run_arrays,
    tenon,
)

pytestmark = pytest.mark.needs("tflite", "mortise", "sim")
REFUSALS: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parent / "refusals.json").read_text()
)
CASES = [pytest.param(m, mix, id=f"{m.name}-{mix}") for m in models_of(OPERATORS) for mix in MIXES]


def outcome(model: Model, mix: str, folder: Path) -> str | None:
    """None if every run is right, else the refusal. A wrong output is an assertion."""
    package = folder / "package.tenon"
    compiled = tenon("compile", model.path, "--target", mix, "-o", package)
    if compiled.code != 0:
        assert not package.exists()
        return compiled.reason
    for run in model.runs():
        result, outputs = run_arrays(package, model.inputs(run), folder)
        assert result.code == 0, result.err
        wanted = model.outputs(run)
        assert len(outputs) == len(wanted)
        for index, (want, got) in enumerate(zip(wanted, outputs, strict=True)):
            assert describe_difference(want, got) is None, f"run {run}, output {index}"
    return None


@pytest.mark.parametrize(("model", "mix"), CASES)
def test_right_or_refused_as_before(model: Model, mix: str, tmp_path: Path) -> None:
    known = REFUSALS[mix].get(model.name)
    reason = outcome(model, mix, tmp_path)
    assert reason == known, "run scripts/update-refusals if this change is meant"


def test_every_listed_refusal_is_of_a_model_that_is_there() -> None:
    names = {model.name for model in models_of(OPERATORS)}
    assert len(names) == 193
    for mix in MIXES:
        assert set(REFUSALS[mix]) <= names
