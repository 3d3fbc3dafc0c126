# SPDX-License-Identifier: Apache-2.0
"""Classifies a photograph with MobileNet V2 on the simulated NPU and on the host alone.

usage: demo.py TENON [PHOTOGRAPH]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "models" / "data"
MODEL = DATA / "networks" / "mobilenet_v2_1.0_224_quant.tflite"
LABELS = DATA / "labels" / "imagenet_labels.txt"
NPU, HOST = "mortise:medium,host", "host"


class Demo:
    """One program, one photograph, one scratch folder."""

    def __init__(self, program: Path, photograph: Path, folder: Path) -> None:
        self.program, self.photograph, self.folder = program, photograph, folder

    def call(self, *arguments: str | Path) -> Any:
        """The program's JSON; its own line of failure ends the demo."""
        done = subprocess.run(
            [self.program, *arguments, "--json"], stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            sys.exit(done.returncode)
        return json.loads(done.stdout)

    def classify(self, targets: str) -> tuple[Path, Any, bytes]:
        """Compiles and runs; the package, run's report and the output file's bytes."""
        name = targets.split(":")[0]
        package, output = self.folder / f"{name}.tenon", self.folder / name
        start = time.monotonic()
        self.call("compile", MODEL, "--target", targets, "-o", package)
        compiled = time.monotonic()
        options = ("--input", self.photograph, "--labels", LABELS, "--output-dir", output)
        report = self.call("run", package, *options)
        print(
            f"{targets}: compiled in {compiled - start:.1f} s, "
            f"ran in {report['milliseconds'] / 1000:.2f} s here"
        )
        return package, report, (output / "0.npy").read_bytes()

    def run(self) -> int:
        print(f"MobileNet V2 1.0/224 (uint8) on {self.photograph.name}\n")
        package, report, bits = self.classify(NPU)
        _, _, host_bits = self.classify(HOST)
        print("\nWhat the NPU sees:")
        for row in report["top"]:
            print(f"  {row['score']:6.1%}  {row['label']}")
        explained = self.call("explain", MODEL, "--target", NPU)
        estimated = self.call("estimate", package)
        total, on_host = len(explained["operators"]), explained["host_operators"]
        print(f"\n{total} operators, {on_host} of them on the host")
        print(f"{len(explained['partitions'])} partitions")
        print(
            f"{estimated['milliseconds']:.3f} ms estimated on {estimated['target']} "
            f"({estimated['cycles']} cycles)"
        )
        equal = bits == host_bits
        print(f"NPU and host-only results {'agree bit for bit' if equal else 'DIFFER'}")
        return 0 if equal else 1


def main(arguments: list[str]) -> int:
    photograph = Path(arguments[1]) if len(arguments) > 1 else DATA / "images" / "cat_720p.jpg"
    with tempfile.TemporaryDirectory() as folder:
        return Demo(Path(arguments[0]), photograph, Path(folder)).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
