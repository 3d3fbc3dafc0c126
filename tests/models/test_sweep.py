# SPDX-License-Identifier: Apache-2.0
"""Every shipped configuration of the NPU, every network: right bits. Minutes, so nightly only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import NETWORKS, Model, describe_difference, models_of, run_arrays

pytestmark = pytest.mark.needs("tflite", "mortise", "sim")


@pytest.mark.nightly
@pytest.mark.parametrize("config", ["tiny", "small", "large"])
@pytest.mark.parametrize("model", models_of(NETWORKS), ids=lambda model: model.name)
def test_other_configurations(model: Model, config: str, tmp_path: Path) -> None:
    run = model.runs()[0]
    result, outputs = run_arrays(
        model.path, model.inputs(run), tmp_path, "--target", f"mortise:{config}"
    )
    assert result.code == 0, result.err
    for want, got in zip(model.outputs(run), outputs, strict=True):
        assert describe_difference(want, got) is None
