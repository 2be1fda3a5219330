"""What a client says, written down without keys."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from sigscope.engine.recording import maskedlog
from sigscope.engine.recording.maskedlog import MaskedLog

KEY = "ghu_0123456789abcdefghijklmnopqrstuvwxyz"
OWN = "q8zw2v-no-shape-at-all"
LINES = (
    f"DEBUG Authorization: Bearer {KEY}\n"
    f"sending {OWN} to the server\r"
    "-----BEGIN RSA PRIVATE KEY-----\n" + ("MIIEpAIB" * 8 + "\n") * 3 + "api_key:\n"
    "- Zx81Qm40vLw27Tn9\n"
    "PWD=/home/me\nno end"
).encode()


class Kept(io.BytesIO):
    def close(self) -> None:
        self.kept = self.getvalue()
        super().close()


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_keys_are_masked_however_it_is_said(size: int) -> None:
    file = Kept()
    log = MaskedLog(file, {"MY_TOKEN": OWN, "SHELL": "/bin/sh", "A_KEY": "short"})
    for at in range(0, len(LINES), size):
        log.write(LINES[at : at + size])
    log.close()
    for secret in (KEY[4:], OWN, "MIIEpAIB", "Zx81Qm40vLw27Tn9"):
        assert secret.encode() not in file.kept
    assert len(file.kept) == len(LINES)
    assert file.kept.endswith(b"PWD=/home/me\nno end")


def test_a_line_is_written_when_it_ends() -> None:
    file = io.BytesIO()
    log = MaskedLog(file, {})
    log.write(b"one\ntw")
    assert file.getvalue() == b"one\n"
    log.write(b"o\n")
    assert file.getvalue() == b"one\ntwo\n"


def test_a_full_disk_is_no_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    log = MaskedLog(open("/dev/full", "wb", buffering=0), {})  # noqa: SIM115
    log.write(b"one\n")
    log.close()


def test_a_fault_of_ours_costs_the_words_and_not_the_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = Kept()
    log = MaskedLog(file, {})
    log.write(b"before\n")
    with monkeypatch.context() as patch:
        patch.setattr(maskedlog, "mask_answer", lambda *_: 1 / 0)
        log.write(f"{KEY}\n".encode())
    log.write(b"behind\n")
    log.close()
    first, told, last = file.kept.splitlines()
    assert (first, last) == (b"before", b"behind")
    assert told.startswith(f"[sigscope: {len(KEY) + 1} bytes are left out".encode())


def test_a_key_at_the_cut_of_a_line_without_end_is_masked_whole() -> None:
    said = b" ".join([b"x" * 7000, *[OWN.encode()] * 8000])
    file = Kept()
    log = MaskedLog(file, {"MY_TOKEN": OWN})
    for at in range(0, len(said), 10_007):
        log.write(said[at : at + 10_007])
    assert 0 < len(file.getvalue()) < len(said)
    log.close()
    assert len(file.kept) == len(said)
    assert set(file.kept) == set(b"x *")
