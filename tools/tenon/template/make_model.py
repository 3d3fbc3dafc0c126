# SPDX-License-Identifier: Apache-2.0
"""Makes test/model.tflite, an input and the output that TFLite's reference kernels give.

usage: make_model.py FLATC        (from this folder; needs scripts/requirements.txt)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType  # type: ignore[import-untyped]

HERE = Path(__file__).resolve().parent
SCHEMA = HERE.parents[2] / "frontend" / "tflite" / "schema.fbs"

Json = dict[str, Any]
Array = np.ndarray[Any, np.dtype[Any]]


class Writer:
    """Collects the tables of a model with one subgraph."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(1)
        self.tensors: list[Json] = []
        self.buffers: list[Json] = [{}]
        self.operators: list[Json] = []

    def tensor(
        self, name: str, shape: list[int], scales: list[float], zero: int, values: Array | None
    ) -> int:
        buffer = 0
        if values is not None:
            buffer = len(self.buffers)
            self.buffers.append({"data": list(values.tobytes())})
        self.tensors.append(
            {
                "name": name,
                "shape": shape,
                "type": "INT32" if values is not None and values.dtype == np.int32 else "INT8",
                "buffer": buffer,
                "quantization": {
                    "scale": scales,
                    "zero_point": [zero] * len(scales),
                    "quantized_dimension": 0,
                },
            }
        )
        return len(self.tensors) - 1

    def layer(
        self, name: str, source: int, weights: list[int], out: list[int], scale: float, **op: Any
    ) -> int:
        """A convolution or fully connected layer with random weights, a scale a channel."""
        channels = weights[0]
        per_channel = op["opcode_index"] == 0
        random = self.random.uniform(0.01, 0.03, channels if per_channel else 1)
        scales = [float(np.float32(s)) for s in random]
        values = self.random.integers(-127, 128, weights, dtype=np.int8)
        bias = self.random.integers(-500, 500, channels, dtype=np.int32)
        before = self.tensors[source]["quantization"]["scale"][0]
        inputs = [
            source,
            self.tensor(name + "/weights", weights, scales, 0, values),
            self.tensor(name + "/bias", [channels], [s * before for s in scales], 0, bias),
        ]
        result = self.tensor(name, out, [scale], -5, None)
        self.operators.append({"inputs": inputs, "outputs": [result], **op})
        return result


def convolution(stride: int, activation: str) -> Json:
    return {
        "opcode_index": 0,
        "options_type": "Conv2DOptions",
        "options": {
            "padding": "SAME",
            "stride_w": stride,
            "stride_h": stride,
            "activation": activation,
        },
    }


def make() -> Json:
    writer = Writer()
    x = writer.tensor("x", [1, 12, 12, 3], [0.02], 3, None)
    a = writer.layer("a", x, [8, 3, 3, 3], [1, 6, 6, 8], 0.05, **convolution(2, "RELU6"))
    b = writer.layer("b", a, [4, 1, 1, 8], [1, 6, 6, 4], 0.08, **convolution(1, "NONE"))
    connected = {
        "opcode_index": 1,
        "options_type": "FullyConnectedOptions",
        "options": {},
    }
    y = writer.layer("y", b, [10, 144], [1, 10], 1.6, **connected)
    codes = [("CONV_2D", 3), ("FULLY_CONNECTED", 4)]
    return {
        "version": 3,
        "operator_codes": [
            {
                "deprecated_builtin_code": 3 if name == "CONV_2D" else 9,
                "version": version,
                "builtin_code": name,
            }
            for name, version in codes
        ],
        "subgraphs": [
            {
                "name": "main",
                "inputs": [x],
                "outputs": [y],
                "tensors": writer.tensors,
                "operators": writer.operators,
            }
        ],
        "buffers": writer.buffers,
    }


def main(flatc: str) -> None:
    target = HERE / "test" / "model.tflite"
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "model.json"
        text.write_text(json.dumps(make()))
        subprocess.run([flatc, "-b", "-o", folder, str(SCHEMA), str(text)], check=True)
        target.write_bytes((Path(folder) / "model.bin").read_bytes())
    reference = Interpreter(
        model_path=str(target), experimental_op_resolver_type=OpResolverType.BUILTIN_REF
    )
    reference.allocate_tensors()
    value = np.random.default_rng(2).integers(-128, 128, (1, 12, 12, 3), dtype=np.int8)
    reference.set_tensor(reference.get_input_details()[0]["index"], value)
    reference.invoke()
    output = reference.get_tensor(reference.get_output_details()[0]["index"])
    (HERE / "test" / "output").mkdir(exist_ok=True)
    np.save(HERE / "test" / "input.npy", value)
    np.save(HERE / "test" / "output" / "0.npy", output)
    print(output)


if __name__ == "__main__":
    main(sys.argv[1])
