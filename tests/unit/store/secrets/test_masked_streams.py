"""Large bodies are masked block by block, and nothing slips through at the seams."""

from __future__ import annotations

import json

import pytest

from sigscope.store.secrets import masker, split
from sigscope.store.secrets.finder import find_secrets
from sigscope.store.secrets.masker import Masker
from sigscope.store.secrets.split import mask_split, mask_stream
from sigscope.wire.frames import frame

KEY = "sk-proj-Zx81Qm40vLw27Tn95Yc63Rb" + "d8Ks"


def stream(texts: list[str]) -> bytes:
    events = ({"choices": [{"delta": {"content": text}}]} for text in texts)
    return b"".join(b"data: " + json.dumps(e).encode() + b"\n\n" for e in events)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "BLOCK", 900)
    monkeypatch.setattr(split, "MARGIN", 700)


@pytest.mark.parametrize("before", range(0, 60, 3))
def test_a_secret_in_pieces_is_found_wherever_the_block_ends(before: int) -> None:
    pieces = [KEY[at : at + 7] for at in range(0, len(KEY), 7)]
    texts = [f"w{n} " for n in range(before)] + [" ", *pieces, " "] + ["more "] * 60
    data = stream(texts)
    masked, removed = mask_stream(data, "sse")
    whole, expected = mask_split(data, frame(data, "sse").events)
    assert (masked, removed) == (whole, expected)
    assert removed.total() == 1
    assert len(masked) == len(data)


def test_a_stream_without_secrets_stays_the_same_object() -> None:
    data = stream(["nothing "] * 200)
    assert mask_stream(data, "sse")[0] is data
    assert mask_stream(b"{}", "json")[0] == b"{}"


@pytest.mark.parametrize("shift", range(0, 300, 7))
def test_a_large_body_is_searched_in_blocks(
    shift: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(masker, "_BLOCK", 256)
    monkeypatch.setattr(masker, "_WORTH_IT", 16)
    monkeypatch.setattr(masker, "_WINDOW", 64)
    body = b'{"pad":"' + b"x " * shift + f'","k":"{KEY}","api_key":"'.encode()
    body += b"Abc123Def456Ghi789" + b'"}' + b" " * 400
    masked, removed = Masker().mask(body)
    expected = find_secrets(body)
    assert removed.total() == len(expected) == 2
    assert KEY.encode() not in masked
    assert b"Abc123Def" not in masked
    assert len(masked) == len(body)
