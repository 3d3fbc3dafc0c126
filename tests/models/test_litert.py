# SPDX-License-Identifier: Apache-2.0
"""Fresh inputs against LiteRT's reference kernels, an implementation that is not ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.program import MIXES, NETWORKS, Array, describe_difference, run_arrays

pytestmark = pytest.mark.needs("tflite", "mortise", "sim")
litert = pytest.importorskip("ai_edge_litert.interpreter")

SMALL = [
    "ad01_int8",
    "kws_ds_cnn_int8",
    "resnet8_int8",
    "vww_96_int8",
    "mobilenet_v1_0.25_128_quant",
]
#: Numbers no other test uses.
SEEDS = [20250711, 31337]


def reference(path: Path, seed: int) -> tuple[list[Array], list[Array]]:
    """Random inputs, and what the reference resolver makes of them without any delegate."""
    interpreter = litert.Interpreter(
        model_path=str(path),
        experimental_op_resolver_type=litert.OpResolverType.BUILTIN_REF,
        num_threads=1,
    )
    interpreter.allocate_tensors()
    random = np.random.default_rng(seed)
    inputs: list[Array] = []
    for detail in interpreter.get_input_details():
        limits = np.iinfo(detail["dtype"])
        array = random.integers(
            limits.min, limits.max, detail["shape"], dtype=detail["dtype"], endpoint=True
        )
        interpreter.set_tensor(detail["index"], array)
        inputs.append(array)
    interpreter.invoke()
    return inputs, [
        np.array(interpreter.get_tensor(detail["index"]))
        for detail in interpreter.get_output_details()
    ]


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SMALL)
def test_fresh_inputs(name: str, seed: int, mix: str, tmp_path: Path) -> None:
    path = NETWORKS / f"{name}.tflite"
    inputs, wanted = reference(path, seed)
    result, outputs = run_arrays(path, inputs, tmp_path, "--target", mix)
    assert result.code == 0, result.err
    for want, got in zip(wanted, outputs, strict=True):
        assert describe_difference(want, got) is None
