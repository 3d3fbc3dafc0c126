# SPDX-License-Identifier: Apache-2.0
"""Files that are not what they should be: one line that says what and where, exit code 1."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from tests.program import NETWORKS, PROGRAM, ROOT, tenon

#: Tests of a TFLite file or of the NPU's configurations.
needs_model = pytest.mark.needs("tflite", "mortise", "sim")
GRAPH = ROOT / "tests" / "cli" / "clamp.mlir"
MODEL = NETWORKS / "kws_ds_cnn_int8.tflite"
VERSION_OFFSET = 24


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("package") / "clamp.tenon"
    assert tenon("compile", GRAPH, "--target", "host", "-o", path).code == 0
    return path


@pytest.mark.parametrize("command", ["compile", "run", "explain", "estimate", "inspect", "compare"])
@pytest.mark.parametrize(
    "content",
    [b"", b"x", b"\0" * 4096, bytes(range(256)) * 64],
    ids=["empty", "one byte", "zeros", "noise"],
)
def test_no_model_at_all(command: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(content)
    result = tenon(command, path, "--target", "host")
    assert result.code == 1
    assert "model.tflite" in result.reason
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("command", ["run", "estimate", "inspect"])
def test_a_package_cut_short(command: str, package: Path, tmp_path: Path) -> None:
    content = package.read_bytes()
    path = tmp_path / "cut.tenon"
    for size in (0, 1, 7, 8, 40, 63, 64, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        result = tenon(command, path)
        assert result.code == 1, size
        assert "cut.tenon" in result.reason


def test_a_package_of_another_version(package: Path, tmp_path: Path) -> None:
    content = bytearray(package.read_bytes())
    path = tmp_path / "p.tenon"
    for version, words in ((99, "update the runtime"), (0, "recompile the model")):
        struct.pack_into("<I", content, VERSION_OFFSET, version)
        path.write_bytes(content)
        result = tenon("inspect", path)
        assert result.code == 1
        assert f"format {version}" in result.reason
        assert words in result.reason


def test_flipped_bits_of_a_package(package: Path, tmp_path: Path) -> None:
    content = package.read_bytes()
    dice = random.Random(11)
    path = tmp_path / "p.tenon"
    for _ in range(40):
        changed = bytearray(content)
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        path.write_bytes(changed)
        result = tenon("inspect", path)
        assert result.code == 1
        assert "p.tenon" in result.reason


def test_a_package_where_a_model_belongs(package: Path) -> None:
    for command in ("compile", "explain", "compare"):
        result = tenon(command, package, "--target", "host")
        assert result.code == 1
        assert "a package, compiled already" in result.reason


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("missing/p.tenon", "No such file or directory"),
        ("/proc/p.tenon", "/proc/p.tenon: "),
        ("folder", "folder: Is a directory"),
    ],
)
def test_an_output_that_cannot_be_written(output: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    result = tenon("compile", GRAPH, "--target", "host", "-o", tmp_path / output)
    assert result.code == 1
    assert words in result.reason
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [PROGRAM, "devices"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert b"standard output: No space left on device" in done.stderr


@needs_model
def test_an_operator_nobody_knows(tmp_path: Path) -> None:
    """Every CONV_2D of a real model becomes an operator code that no schema has."""
    content = (NETWORKS / "resnet8_int8.tflite").read_bytes()
    changed = replace_operator_code(content, 3, 5117)
    path = tmp_path / "unknown.tflite"
    path.write_bytes(changed)
    result = tenon("compile", path)
    assert result.code == 1
    for words in ("unknown.tflite", "operator 0", "5117", "version", "input_1_int8"):
        assert words in result.reason
    assert list(tmp_path.iterdir()) == [path]


def replace_operator_code(content: bytes, old: int, new: int) -> bytes:
    """Changes builtin_code and deprecated_builtin_code, which codes over 127 exceed."""
    data = bytearray(content)

    def u32(at: int) -> int:
        return int(struct.unpack_from("<I", data, at)[0])

    def field(table: int, index: int) -> int | None:
        vtable = table - struct.unpack_from("<i", data, table)[0]
        size = struct.unpack_from("<H", data, vtable)[0]
        if 4 + 2 * index >= size:
            return None
        offset = struct.unpack_from("<H", data, vtable + 4 + 2 * index)[0]
        return table + offset if offset else None

    model = u32(0)
    at = field(model, 1)
    assert at is not None
    vector = at + u32(at)
    changed = 0
    for i in range(u32(vector)):
        slot = vector + 4 + 4 * i
        code = slot + u32(slot)
        deprecated, builtin = field(code, 0), field(code, 3)
        if deprecated is not None and data[deprecated] == old:
            assert builtin is not None
            data[deprecated] = min(new, 127)
            struct.pack_into("<i", data, builtin, new)
            changed += 1
    assert changed
    return bytes(data)


@needs_model
def test_targets_that_do_not_exist(tmp_path: Path) -> None:
    cases = {
        "moon": "moon",
        "mortise:huge": "huge",
        "mortise:none.json": "none.json",
        ",": "--target",
        "host,host": "host",
    }
    for target, words in cases.items():
        result = tenon("compile", MODEL, "--target", target, "-o", tmp_path / "p.tenon")
        assert result.code == 1, target
        assert words in result.reason
    assert list(tmp_path.iterdir()) == []


@needs_model
def test_a_configuration_that_is_no_configuration(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    for text in ("", "{", "[]", '{"name": "x"}', '{"name": 3}'):
        path.write_text(text)
        result = tenon("explain", MODEL, "--target", f"mortise:{path}")
        assert result.code == 1
        assert "c.json" in result.reason


def test_a_plugin_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "libmine.so"
    for content in (b"", MODEL.read_bytes(), b"\x7fELF" + b"\0" * 100):
        path.write_bytes(content)
        result = tenon("explain", GRAPH, "--target", "host", "--plugin", path)
        assert result.code == 1
        assert "libmine.so" in result.reason


@needs_model
def test_a_picture_bomb(tmp_path: Path) -> None:
    """A PNG that claims 30000 x 30000 pixels in a few bytes."""
    header = struct.pack(">IIBBBBB", 30000, 30000, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    path = tmp_path / "bomb.png"
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
    )
    model = NETWORKS / "mobilenet_v1_0.25_128_quant.tflite"
    result = tenon("run", model, "--target", "host", "--input", path)
    assert result.code == 1
    assert "bomb.png" in result.reason


@needs_model
def test_models_are_left_alone(tmp_path: Path) -> None:
    copy = tmp_path / "m.tflite"
    shutil.copyfile(MODEL, copy)
    copy.chmod(0o444)
    assert tenon("explain", copy).code == 0
    assert copy.read_bytes() == MODEL.read_bytes()
