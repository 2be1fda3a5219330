"""What passes between screens and recorder comes out as it went in."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from sigscope.engine.recording.link import (
    ProcessLink,
    read_decision,
    read_request,
    request_values,
    send_decision,
)
from sigscope.exchange import Body, Request
from sigscope.recorder.gate import Decision, Drop, Release

ODD = Request(
    method="POST",
    url="http://api.example/v1/\udce9?q=\u00e9",
    headers=(("X-Odd", "caf\xe9 \x80"), ("x-odd", ""), ("Authorization", "k")),
    body=Body(bytes(range(256)) * 4096),
    http_version="HTTP/1.1",
)


@pytest.fixture
async def ends() -> AsyncIterator[tuple[ProcessLink, ProcessLink]]:
    ours, theirs = socket.socketpair()
    pair = await ProcessLink.over(ours), await ProcessLink.over(theirs)
    yield pair
    for end in pair:
        await end.close()


async def test_a_request_keeps_its_bytes(ends: tuple[ProcessLink, ProcessLink]) -> None:
    ends[0].send("asked", ODD.body.raw, id=1, **request_values(ODD))
    ends[0].send("after")
    message = await ends[1].receive()
    assert message is not None
    assert message.about == "asked"
    assert read_request(message.values, message.body) == ODD
    after = await ends[1].receive()
    assert after is not None
    assert (after.about, after.values, after.body) == ("after", {}, b"")


@pytest.mark.parametrize(
    "decision",
    [
        Release(),
        Release(held="held for 0.1 s"),
        Release(request=ODD, note="edited: x", held="held"),
        Drop(reason="no", held="held for 3 s"),
    ],
)
async def test_a_decision_stays_what_it_is(
    ends: tuple[ProcessLink, ProcessLink], decision: Decision
) -> None:
    send_decision(ends[0], 7, decision)
    message = await ends[1].receive()
    assert message is not None
    assert message.values["id"] == 7
    assert read_decision(message) == decision


async def test_the_other_side_goes_in_the_middle_of_a_message() -> None:
    ours, theirs = socket.socketpair()
    link = await ProcessLink.over(ours)
    theirs.sendall(b"\0\0\0\x10\0")
    theirs.close()
    assert await link.receive() is None
    link.send("anybody?")
    link.send("anybody?")
    await link.close()


@pytest.mark.slow
async def test_a_side_that_reads_nothing_is_stuck() -> None:
    ours, theirs = socket.socketpair()
    link = await ProcessLink.over(ours)
    assert not link.is_stuck
    for _ in range(5):
        link.send("asked", bytes(64 * 1024 * 1024))
    assert link.is_stuck
    theirs.close()
    await asyncio.sleep(0)
    await link.close()
