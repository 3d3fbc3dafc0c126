# SPDX-License-Identifier: Apache-2.0
"""The built program and the models with right answers, for tests and scripts."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("TENON_BUILD", ROOT / "build"))
PROGRAM = BUILD / "bin" / "tenon"
DATA = ROOT / "tests" / "models" / "data"
NETWORKS = DATA / "networks"
OPERATORS = DATA / "operators"

#: The target mixes that every model is tried on.
MIXES = ["mortise:medium,host", "host"]

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Result:
    """What one call of the program left behind."""

    arguments: list[str]
    code: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.code == 0, f"{self.arguments}: {self.err}"
        return json.loads(self.out)

    @property
    def reason(self) -> str:
        """The one line of a failure, without the program's name."""
        lines = self.err.splitlines()
        assert len(lines) == 1, f"{self.arguments}: not one line: {self.err!r}"
        assert lines[0].startswith("tenon: "), lines[0]
        return lines[0].removeprefix("tenon: ")


def tenon(*arguments: str | Path, timeout: float = 300, program: Path = PROGRAM) -> Result:
    """Runs the program; a signal or a time-out is an error of the test."""
    command = [str(program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    assert done.returncode >= 0, f"{command}: ended by signal {-done.returncode}"
    return Result(command[1:], done.returncode, done.stdout.decode(), done.stderr.decode())


@dataclass(frozen=True)
class Model:
    """A model file and runs of it: inputs, and the reference kernels' outputs."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def arrays(self) -> dict[str, Array]:
        with np.load(self.path.with_suffix(".npz")) as file:
            return {key: file[key] for key in file.files}

    def runs(self) -> list[str]:
        return sorted({key.split(".")[1] for key in self.arrays})

    def inputs(self, run: str) -> list[Array]:
        return list(self._numbered(f"in.{run}."))

    def outputs(self, run: str) -> list[Array]:
        return list(self._numbered(f"out.{run}."))

    def _numbered(self, prefix: str) -> Iterator[Array]:
        for index in range(len(self.arrays)):
            if f"{prefix}{index}" in self.arrays:
                yield self.arrays[f"{prefix}{index}"]


def models_of(folder: Path) -> list[Model]:
    return [Model(path) for path in sorted(folder.glob("*.tflite"))]


def run_arrays(
    model: Path, inputs: Sequence[Array], folder: Path, *options: str
) -> tuple[Result, list[Array]]:
    """`tenon run` on arrays; outputs are empty if it failed."""
    arguments: list[str | Path] = ["run", model, "--output-dir", folder / "out", *options]
    for index, array in enumerate(inputs):
        path = folder / f"in{index}.npy"
        np.save(path, np.asarray(array, order="C"))
        arguments += ["--input", path]
    result = tenon(*arguments)
    if result.code != 0:
        return result, []
    count = len(list((folder / "out").glob("*.npy")))
    return result, [np.load(folder / "out" / f"{index}.npy") for index in range(count)]


def describe_difference(wanted: Array, got: Array) -> str | None:
    """None if they are the same: bits for integers, 1e-5 for floats (docs/numerics.md)."""
    if wanted.dtype != got.dtype or wanted.shape != got.shape:
        return f"{got.dtype}{got.shape} instead of {wanted.dtype}{wanted.shape}"
    if wanted.dtype.kind == "f":
        if np.allclose(wanted, got, rtol=1e-5, atol=1e-5, equal_nan=True):
            return None
        return f"floats differ by up to {np.nanmax(np.abs(wanted - got))}"
    wrong = int(np.count_nonzero(wanted != got))
    return f"{wrong} of {wanted.size} values differ" if wrong else None
