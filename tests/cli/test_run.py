# SPDX-License-Identifier: Apache-2.0
"""tenon run: inputs of every kind, outputs, labels, interrupts."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.program import DATA, NETWORKS, OPERATORS, PROGRAM, Model, run_arrays, tenon

pytestmark = pytest.mark.needs("tflite", "mortise", "sim")
KWS = Model(NETWORKS / "kws_ds_cnn_int8.tflite")
PHOTO = NETWORKS / "mobilenet_v1_0.25_128_quant.tflite"
LABELS = DATA / "labels" / "imagenet_labels.txt"


def test_outputs_are_written_in_order_with_types_and_shapes(tmp_path: Path) -> None:
    result, outputs = run_arrays(KWS.path, KWS.inputs("r0"), tmp_path, "--json")
    report = result.json()
    assert outputs[0].dtype == np.int8 and outputs[0].shape == (1, 12)
    assert report["outputs"][0]["file"] == str(tmp_path / "out" / "0.npy")
    assert report["outputs"][0]["shape"] == [1, 12]
    assert {"target", "milliseconds", "cycles", "macs", "dram_bytes"} == set(report["steps"][0])


def test_a_photograph_and_labels(tmp_path: Path) -> None:
    model = NETWORKS / "mobilenet_v2_1.0_224_quant.tflite"
    arguments = ("run", model, "--input", DATA / "images" / "hot_dog.jpg", "--labels", LABELS)
    report = tenon(*arguments, "--json").json()
    assert len(report["top"]) == 5
    scores = [row["score"] for row in report["top"]]
    assert scores == sorted(scores, reverse=True)
    labels = LABELS.read_text().splitlines()
    assert all(labels[row["index"]] == row["label"] for row in report["top"])
    assert report["top"][0]["label"] == "hotdog, hot dog, red hot"
    text = tenon(*arguments).out
    assert report["top"][0]["label"] in text


def test_device_is_taken_by_uri() -> None:
    image = DATA / "images" / "owl.jpg"
    assert tenon("run", PHOTO, "--input", image, "--device", "sim:").code == 0
    result = tenon("run", PHOTO, "--input", image, "--device", "moon:")
    assert result.code == 1
    assert "moon" in result.reason


def test_inputs_by_name_and_by_order(tmp_path: Path) -> None:
    """A two-input model: both ways give the same; a mix of names and order fills the gaps."""
    model = Model(OPERATORS / "hannk_inception_v4_299_quant_081.CONCATENATION.tflite")
    result, wanted = run_arrays(model.path, model.inputs("r0"), tmp_path, "--json")
    assert result.code == 0, result.err
    names = [row["name"] for row in tenon("inspect", model.path, "--json").json()["inputs"]]
    assert len(names) == len(model.inputs("r0")) >= 2
    arguments: list[str] = []
    for index in reversed(range(len(names))):
        arguments += ["--input", f"{names[index]}={tmp_path}/in{index}.npy"]
    again = tenon("run", model.path, "--output-dir", tmp_path / "named", *arguments)
    assert again.code == 0, again.err
    assert np.array_equal(np.load(tmp_path / "named" / "0.npy"), wanted[0])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], 'input 0 "input" uint8[1,128,128,3] has no file; give --input FILE'),
        (["a.npy", "b.npy"], "the network has 1 inputs"),
        (["none.jpg"], "none.jpg: No such file or directory"),
        (["wrong_shape.npy"], "wrong_shape.npy: uint8[128,128,3] given"),
        (["wrong_type.npy"], "wrong_type.npy: int32[1,128,128,3] given"),
        (["cut.npy"], "cut.npy: byte 128: uint8[1,128,128,3] takes 49152 bytes"),
        (["text.txt"], "text.txt: neither an .npy file nor a picture"),
        (["cut.jpg"], "cut.jpg: "),
    ],
)
def test_wrong_inputs(arguments: list[str], words: str, tmp_path: Path) -> None:
    right = np.zeros((1, 128, 128, 3), np.uint8)
    np.save(tmp_path / "a.npy", right)
    np.save(tmp_path / "b.npy", right)
    np.save(tmp_path / "wrong_shape.npy", right[0])
    np.save(tmp_path / "wrong_type.npy", right.astype(np.int32))
    (tmp_path / "cut.npy").write_bytes((tmp_path / "a.npy").read_bytes()[:1000])
    (tmp_path / "text.txt").write_text("hello")
    (tmp_path / "cut.jpg").write_bytes((DATA / "images" / "owl.jpg").read_bytes()[:300])
    options = [option for name in arguments for option in ("--input", str(tmp_path / name))]
    result = tenon("run", PHOTO, "--target", "host", *options)
    assert result.code == 1
    assert words in result.reason


def test_labels_of_another_network(tmp_path: Path) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text("a\nb\n")
    image = DATA / "images" / "owl.jpg"
    result = tenon("run", PHOTO, "--target", "host", "--input", image, "--labels", labels)
    assert result.code == 1
    assert "labels.txt: 2 labels, but the output has 1001 values" in result.reason


def test_progress_only_when_asked_for() -> None:
    result = tenon("compile", KWS.path, "-o", os.devnull + "/no", "--progress")
    assert "/dev/null/no: Not a directory" in result.err


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    """Signals at several moments: the package is there whole or not at all, nothing else is."""
    model = NETWORKS / "mobilenet_v2_1.0_224_quant.tflite"
    package = tmp_path / "p.tenon"
    for delay in (0.02, 0.1, 0.3, 0.7):
        process = subprocess.Popen(
            [PROGRAM, "compile", model, "-o", package], stderr=subprocess.PIPE
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode in (0, 130, -signal.SIGINT)
        assert err == b""
        if package.exists():
            assert tenon("inspect", package).code == 0
            package.unlink()
        assert list(tmp_path.iterdir()) == []
