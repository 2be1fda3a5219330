"""A mender's process: asked and told over a link, and nothing lost where it dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal

import pytest
from tests.patience import PATIENCE
from tests.unit.engine.test_mender import COPILOT, DROPPED, OTHER, request, response

from sigscope.engine.recording.remotemender import MendOrder, RemoteMender
from sigscope.recorder.mend import Mend, Unmended

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("nursed")]


async def test_it_learns_from_answers_and_mends_by_them() -> None:
    problems: list[str] = []
    mender = RemoteMender(MendOrder(), (), on_problem=problems.append)
    await mender.start()
    try:
        first = await mender.mend(request("copilot-chat", COPILOT[:1]), 1)
        mender.answered(1, response("copilot-chat", COPILOT[1]))
        second = await mender.mend(request("copilot-chat", DROPPED), 2)
    finally:
        await mender.stop()
    assert first == Unmended()
    assert isinstance(second, Mend)
    assert [r.rule for r in second.remedies] == ["CPC-1"]
    assert json.loads(second.request.body.raw)["messages"][1] == COPILOT[1]
    assert problems == []


async def test_rules_that_are_not_named_mend_nothing() -> None:
    mender = RemoteMender(MendOrder(only=("ORT-1",)), (), on_problem=print)
    await mender.start()
    try:
        await mender.mend(request("copilot-chat", COPILOT[:1]), 1)
        mender.answered(1, response("copilot-chat", COPILOT[1]))
        assert await mender.mend(request("copilot-chat", DROPPED), 2) == Unmended()
    finally:
        await mender.stop()


async def test_where_it_dies_requests_go_as_they_come_and_that_is_said() -> None:
    problems: list[str] = []
    told = asyncio.Event()

    def note(problem: str) -> None:
        problems.append(problem)
        told.set()

    mender = RemoteMender(MendOrder(), (), on_problem=note)
    await mender.start()
    assert mender.pid is not None
    os.kill(mender.pid, signal.SIGKILL)
    asked = request("copilot-chat", COPILOT[:1])
    async with asyncio.timeout(PATIENCE):
        await told.wait()
        verdict = await mender.mend(asked, 1)
        await mender.stop()
    assert verdict == Unmended("the mender's process has ended")
    assert problems == [
        "the mender's process has ended: requests go as they come from here on"
    ]


async def test_what_was_edited_while_held_is_learned_where_it_stands_for_it() -> None:
    asked = request("copilot-chat", COPILOT[:1])
    other = request("copilot-chat", COPILOT[:1], key=OTHER)
    for sent, expected in ((asked, Mend), (other, Unmended)):
        problems: list[str] = []
        mender = RemoteMender(MendOrder(), (), on_problem=problems.append)
        await mender.start()
        try:
            mender.edited(asked, sent, 2)
            mender.answered(2, response("copilot-chat", COPILOT[1]))
            verdict = await mender.mend(request("copilot-chat", DROPPED), 3)
        finally:
            await mender.stop()
        assert isinstance(verdict, expected)
        assert problems == []
