"""Lines in parts are the lines that would have been written at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Step
from sigscope.store import Header, SessionWriter, longlines, open_session
from sigscope.store.lines import encode_line, is_as_written, pack
from sigscope.store.longlines import line_parts, pack_maybe_large


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(longlines, "LARGE", 64)
    monkeypatch.setattr(longlines, "_BLOCK", 6)
    return


BODIES = [
    b"x" * 63,
    b'plain "quoted" \\ and \n lines' * 5,
    "grün, 漢字 and \U0001f600 ".encode() * 9,
    b"\xff\x00binary" * 20,
    "cut 漢字".encode()[:-1] * 15,
]


@pytest.mark.parametrize("body", BODIES)
def test_parts_are_the_line(body: bytes) -> None:
    value = {"type": "step", "number": 1}
    others = {"copies": [1, 2, 3], "chunks": [4]}
    asked = {"text": "short"}
    whole = {**value, "bodies": {"request": asked, "response": pack(body) | others}}
    large = pack_maybe_large(body) | others
    parts = list(line_parts({**value, "bodies": {"request": asked, "response": large}}))
    assert b"".join(parts) == encode_line(whole)
    assert is_as_written(b"".join(parts)[:-1])
    assert (len(parts) > 1) == (len(body) >= 64)


def test_large_bodies_are_read_as_they_came(tmp_path: Path) -> None:
    path = tmp_path / "x.session.jsonl"
    with SessionWriter.create(str(path), Header(id="x")) as writer:
        for number, body in enumerate(BODIES, start=1):
            exchange = Exchange(
                request=Request(body=Body(body[::-1])),
                response=Response(status=200, body=Body(body), ending="complete"),
            )
            step = Step(number=number, id=str(number), exchange=exchange)
            writer.append_step(step)
    session = open_session(str(path))
    assert not session.problems
    kept = [
        (s.exchange.request.body.raw, s.exchange.response.body.raw)
        for s in session.steps
        if s.exchange.request and s.exchange.response
    ]
    assert kept == [(body[::-1], body) for body in BODIES]
