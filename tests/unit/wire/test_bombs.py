"""A megabyte that stands for a gigabyte costs neither memory nor time.

Each is read in a process of its own, by all of `sigscope check` and `ledger`; what is
measured is the peak that the system counts for it.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from tests.effort import effort, work_of_children

pytestmark = pytest.mark.slow

GIB = 1024**3
PART = bytes(16 * 1024 * 1024)
PEAK = 200 * 1024
"""KiB, of the whole process."""
_MEASURE = """
import re, resource, sys
from sigscope.cli.main import run

def peak():
    try:
        return re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

try:
    for line in sys.argv[1:]:
        run(line.split())
finally:
    print("PEAK", peak(), file=sys.stderr)
"""
"""What getrusage says of a child is at least what its parent had: a worker of the test
runner that has been at it for a while."""


@cache
def bare_bomb() -> bytes:
    """Deflate, without what gzip and zlib put around it. After a full flush the next
    part is packed as the first one was: one is packed."""
    packer = zlib.compressobj(9, wbits=-15)
    part = packer.compress(PART) + packer.flush(zlib.Z_FULL_FLUSH)
    return part * (GIB // len(PART)) + packer.flush()


@cache
def gzip_bomb() -> bytes:
    crc = 0
    for _ in range(GIB // len(PART)):
        crc = zlib.crc32(PART, crc)
    end = struct.pack("<II", crc, GIB)
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + bare_bomb() + end


def deflate_bomb() -> bytes:
    adler = GIB % 65521 << 16 | 1  # of zeros
    return b"\x78\xda" + bare_bomb() + struct.pack(">I", adler)


@cache
def brotli_bomb() -> bytes:
    brotli = pytest.importorskip("brotli")
    packer = brotli.Compressor(quality=1)
    parts = [packer.process(PART) for _ in range(GIB // len(PART))]
    return b"".join([*parts, packer.finish()])


@cache
def zstd_bomb() -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        zstd = pytest.importorskip("backports.zstd")
    packer = zstd.ZstdCompressor()
    parts = [packer.compress(PART) for _ in range(GIB // len(PART))]
    return b"".join([*parts, packer.flush()])


BOMBS = {
    "gzip": gzip_bomb,
    "deflate": deflate_bomb,
    "br": brotli_bomb,
    "zstd": zstd_bomb,
    "gzip, gzip": lambda: gzip.compress(gzip_bomb()),
}


def har(body: bytes, coding: str, answers: int = 1) -> bytes:
    """A browser's export of answers, with the bytes as they came."""
    content = {
        "size": len(body),
        "mimeType": "application/json",
        "encoding": "base64",
        "text": base64.b64encode(body).decode(),
    }
    request = {
        "method": "POST",
        "url": "https://api.anthropic.com/v1/messages",
        "headers": [{"name": "content-type", "value": "application/json"}],
        "postData": {"mimeType": "application/json", "text": '{"messages":[]}'},
    }
    response = {
        "status": 200,
        "headers": [
            {"name": "content-type", "value": "application/json"},
            {"name": "content-encoding", "value": coding},
        ],
        "content": content,
    }
    entry = {"request": request, "response": response, "time": 1}
    log = {"version": "1.2", "creator": {"name": "x"}, "entries": [entry] * answers}
    return json.dumps({"log": log}).encode()


def measured(tmp_path: Path, *lines: str) -> tuple[int, str]:
    """The peak in KiB, and what was said, of commands one after the other."""
    ended = subprocess.run(
        [sys.executable, "-c", _MEASURE, *lines],
        cwd=tmp_path,
        env=os.environ | {"SIGSCOPE_CONFIG_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    told, _, peak = ended.stderr.rpartition("PEAK")
    return int(peak), ended.stdout + told


CHECK_AND_IMPORT = ("check bomb.har", "import bomb.har --out b.session.jsonl")


@pytest.mark.parametrize("coding", BOMBS)
def test_a_body_that_decodes_to_a_gigabyte_is_cut(coding: str, tmp_path: Path) -> None:
    make: Callable[[], bytes] = BOMBS[coding]
    path = tmp_path / "bomb.har"
    path.write_bytes(har(make(), coding))
    assert path.stat().st_size < 3_000_000
    peak, told = 0, ""

    def measure() -> None:
        nonlocal peak, told
        peak, told = measured(tmp_path, *CHECK_AND_IMPORT)

    assert effort(measure, tries=1, clock=work_of_children) < 20, "2 s, as a rule"
    assert peak < PEAK, f"{peak} KiB"
    assert_cut(told, tmp_path)


def assert_cut(told: str, folder: Path) -> None:
    assert "decodes to more than" in told
    stored = (folder / "b.session.jsonl").read_text()
    assert "decodes to more than" in stored
    assert "only that beginning is stored" in stored


def test_many_bodies_that_each_decode_to_little_are_cut(tmp_path: Path) -> None:
    """360 MB out of one, 8 MB a body."""
    text = json.dumps({"text": "x" * 8_000_000}).encode()
    path = tmp_path / "bomb.har"
    path.write_bytes(har(gzip.compress(text), "gzip", answers=45))
    assert path.stat().st_size < 1_100_000
    peak, told = measured(tmp_path, *CHECK_AND_IMPORT)
    assert peak < PEAK, f"{peak} KiB"
    assert_cut(told, tmp_path)


def test_a_file_that_unpacks_to_a_gigabyte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.har.gz"
    path.write_bytes(gzip_bomb())
    peak, told = measured(tmp_path, f"check {path.name}")
    assert peak < PEAK, f"{peak} KiB"
    assert "decodes to more than" in told
    assert "decode.ratio" in told


def test_a_setting_allows_more(tmp_path: Path) -> None:
    path = tmp_path / "long.har.gz"
    plain = har(b'{"text":"' + b"a" * 20_000_000 + b'"}', "identity")
    path.write_bytes(gzip.compress(plain))
    _, told = measured(tmp_path, f"check {path.name}")
    assert "decodes to more than" in told
    (tmp_path / "config.toml").write_text("[decode]\nratio = 2000\n")
    _, told = measured(tmp_path, f"check {path.name}")
    assert "decodes to more than" not in told
