# SPDX-License-Identifier: Apache-2.0
"""Times compile, simulation and host runs of every network; the best of some repeats.

usage: bench.py [--json] [--repeats N]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import numpy as np

from tests.program import NETWORKS, Model, models_of, tenon

NPU, HOST = "mortise:medium,host", "host"
COLUMNS = [
    ("network", "network", "{}"),
    ("compile_seconds", "compile s", "{:.2f}"),
    ("cycles", "cycles", "{}"),
    ("milliseconds", "NPU ms", "{:.3f}"),
    ("utilization", "used", "{:.0%}"),
    ("simulator_seconds", "simulator s", "{:.3f}"),
    ("simulator_gmacs", "GMAC/s", "{:.2f}"),
    ("host_compile_seconds", "host compile s", "{:.2f}"),
    ("host_milliseconds", "host ms", "{:.2f}"),
]


def compiled(model: Model, targets: str, package: Path) -> float:
    start = time.monotonic()
    result = tenon("compile", model.path, "--target", targets, "-o", package)
    assert result.code == 0, result.err
    return time.monotonic() - start


def best_run(package: Path, inputs: list[Path], repeats: int) -> Any:
    """The run report with the least wall-clock time."""
    options = [option for path in inputs for option in ("--input", path)]
    reports = [tenon("run", package, *options, "--json").json() for _ in range(repeats)]
    return min(reports, key=lambda report: report["milliseconds"])


def measure(model: Model, folder: Path, repeats: int) -> dict[str, Any]:
    inputs = []
    for index, array in enumerate(model.inputs(model.runs()[0])):
        inputs.append(folder / f"{model.name}.{index}.npy")
        np.save(inputs[-1], array)
    npu, host = folder / "npu.tenon", folder / "host.tenon"
    seconds, host_seconds = compiled(model, NPU, npu), compiled(model, HOST, host)
    device = [step for step in best_run(npu, inputs, repeats)["steps"] if step["cycles"]]
    simulated = sum(step["milliseconds"] for step in device) / 1000
    macs = sum(step["macs"] for step in device)
    estimate = tenon("estimate", npu, "--json").json()
    return {
        "network": model.name,
        "compile_seconds": seconds,
        "cycles": sum(step["cycles"] for step in device),
        "milliseconds": estimate["milliseconds"],
        "utilization": estimate["utilization"],
        "simulator_seconds": simulated,
        "simulator_gmacs": macs / simulated / 1e9 if simulated else 0.0,
        "host_compile_seconds": host_seconds,
        "host_milliseconds": best_run(host, inputs, repeats)["milliseconds"],
    }


def table(rows: list[dict[str, Any]]) -> str:
    cells = [[title for _, title, _ in COLUMNS]]
    cells += [[form.format(row[key]) for key, _, form in COLUMNS] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(
            [
                line[0].ljust(widths[0]),
                *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)),
            ]
        )
        for line in cells
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(model, Path(folder), options.repeats) for model in models_of(NETWORKS)]
    print(json.dumps({"networks": rows}, indent=2) if options.json else table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
