"""A gate whose screens are in another process, and may not answer."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from sigscope.engine.recording import distantgate
from sigscope.engine.recording.distantgate import DistantGate
from sigscope.engine.recording.link import LinkMessage, ProcessLink, send_decision
from sigscope.exchange import Body, Request
from sigscope.recorder.gate import Drop, Release

REQUEST = Request(method="POST", url="http://api.example/v1", body=Body(b"{}"))


class Stage:
    """A gate, and the other end of its link."""

    def __init__(
        self, link: ProcessLink, screens: ProcessLink, patience: float | None
    ) -> None:
        self.screens = screens
        self.problems: list[str] = []
        self.gate = DistantGate(
            link, patience=patience, on_problem=self.problems.append
        )
        self.gate.is_on = True
        self.link = link

    async def heard(self) -> LinkMessage:
        async with asyncio.timeout(5):
            message = await self.screens.receive()
        assert message is not None
        return message

    async def deliver(self) -> None:
        """Have the gate take one message."""
        async with asyncio.timeout(5):
            message = await self.link.receive()
        assert message is not None
        self.gate.take(message)


@pytest.fixture
async def stage(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    monkeypatch.setattr(distantgate, "GRACE", 0.05)
    ours, theirs = socket.socketpair()
    link, screens = await ProcessLink.over(ours), await ProcessLink.over(theirs)
    yield Stage(link, screens, patience=0.05)
    await link.close()
    await screens.close()


async def test_what_the_screens_decide_is_done(stage: Stage) -> None:
    asked = asyncio.create_task(stage.gate(REQUEST, 4))
    message = await stage.heard()
    assert (message.about, message.values["step"]) == ("asked", 4)
    assert message.body == b"{}"
    send_decision(stage.screens, message.values["id"], Drop(reason="no"))
    await stage.deliver()
    assert await asked == Drop(reason="no")


async def test_nothing_is_asked_while_it_is_off(stage: Stage) -> None:
    stage.gate.is_on = False
    assert await stage.gate(REQUEST, 1) == Release()
    stage.link.send("nothing before this")
    assert (await stage.heard()).about == "nothing before this"


async def test_screens_that_hang_hold_nothing_for_ever(stage: Stage) -> None:
    async with asyncio.timeout(5):
        decision = await stage.gate(REQUEST, 1)
    assert isinstance(decision, Release)
    assert "the screens did not answer" in decision.held


async def test_a_decision_that_comes_too_late_does_nothing(stage: Stage) -> None:
    await stage.gate(REQUEST, 1)
    message = await stage.heard()
    send_decision(stage.screens, message.values["id"], Drop())
    await stage.deliver()
    assert not stage.problems


async def test_all_that_waits_goes_as_it_came(stage: Stage) -> None:
    asked = [asyncio.create_task(stage.gate(REQUEST, n)) for n in (1, 2)]
    await stage.heard()
    stage.gate.let_go("the screens are gone")
    for decision in await asyncio.gather(*asked):
        assert isinstance(decision, Release)
        assert decision.request is None
        assert "the screens are gone, so it was sent as it came" in decision.held
    assert await stage.gate(REQUEST, 3) == Release()


async def test_a_client_that_goes_takes_its_question_back(stage: Stage) -> None:
    asked = asyncio.create_task(stage.gate(REQUEST, 1))
    number = (await stage.heard()).values["id"]
    asked.cancel()
    gone = await stage.heard()
    assert (gone.about, gone.values["id"]) == ("gone", number)


async def test_it_waits_until_what_was_before_is_written(stage: Stage) -> None:
    written = asyncio.Event()
    stage.gate.follow(lambda: "a.session.jsonl", lambda: _wait(written))
    asked = asyncio.create_task(stage.gate(REQUEST, 1))
    await asyncio.sleep(0)
    stage.link.send("nothing before this")
    assert (await stage.heard()).about == "nothing before this"
    written.set()
    assert (await stage.heard()).about == "asked"
    stage.gate.let_go("")
    await asked


async def _wait(event: asyncio.Event) -> None:
    await event.wait()
