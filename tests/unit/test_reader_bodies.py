"""Bodies as readings give them: decoded, as far as their recording allows."""

from __future__ import annotations

import gzip

import pytest

from sigscope.dialects.histories import KEPT_BYTES, Histories
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.latest import FEWEST
from sigscope.reader import Reading
from sigscope.wire import bodies

CODED = (("content-type", "application/json"), ("content-encoding", "gzip"))


def answered(data: bytes) -> Exchange:
    packed = gzip.compress(data)
    return Exchange(
        request=Request(method="POST", url="http://x/"),
        response=Response(
            status=200,
            headers=CODED,
            body=Body(packed),
            chunks=(Chunk(end=len(packed), at_ms=1.0),),
        ),
    )


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for two of the bodies below beyond their ratio."""
    monkeypatch.setattr(bodies.BodyAllowance, "MOST", 2_500_000)


BOMB = b"0" * 1_200_000


def test_many_answers_do_not_each_decode_to_as_much_as_one_may() -> None:
    histories = Histories()
    readings = [Reading(answered(BOMB), histories=histories) for _ in range(4)]
    assert [each.response_body.is_cut for each in readings] == [False] * 2 + [True] * 2
    # Read again, when its bytes are not at hand any more, each is what it was.
    for number in range(FEWEST):
        histories.bodies.put((number, "other"), (None, None), KEPT_BYTES)
    assert [each.response_body.is_cut for each in readings] == [False] * 2 + [True] * 2


def test_arrivals_are_told_of_the_body_that_was_decoded() -> None:
    histories = Histories()
    for _ in range(2):
        assert Reading(answered(BOMB), histories=histories).response_body.data == BOMB
    exchange = answered(BOMB)
    first, second = (Reading(exchange, histories=histories) for _ in range(2))
    for reading in (first, second):  # the second finds what the first decoded
        assert reading.response_body.is_cut
        (chunk,) = reading.chunks
        assert chunk.end == len(reading.response_body.data) < len(BOMB)
