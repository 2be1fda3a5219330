"""The end of an answer waits for the file where it could come too late."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from loopback import Call, bench, post
from tests.patience import PATIENCE, until

from sigscope.exchange import Exchange, Request
from sigscope.recorder import arrears, holdback
from sigscope.recorder.arrears import (
    ALONE_SECONDS,
    FIRST_PACE,
    OLD_SECONDS,
    RISKY_SECONDS,
    STEP_BYTES,
    Arrears,
)
from sigscope.recorder.holdback import LONGEST_SECONDS, Holdback
from sigscope.store import SessionWriter, open_session
from sigscope.store.space import BodySpace


class Clock:
    """Goes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def held(size: int) -> tuple[Clock, Arrears, Holdback]:
    clock = Clock()
    arrears = Arrears(clock)
    arrears.end(1, size)
    return clock, arrears, Holdback(arrears, clock)


def test_a_short_answer_waits_for_nobody() -> None:
    _, _, holdback = held(2_000)
    assert not holdback.needs(1)


def test_what_takes_long_to_write_waits() -> None:
    size = int(FIRST_PACE * RISKY_SECONDS)
    _, arrears, holdback = held(size - 4 * STEP_BYTES)
    assert not holdback.needs(1)
    arrears.end(2, STEP_BYTES)
    assert not holdback.needs(2)
    arrears.end(3, 2 * STEP_BYTES)
    assert holdback.needs(3)
    arrears.settle(3)
    assert not holdback.needs(3)


def test_one_by_itself_may_take_longer() -> None:
    _, _, holdback = held(int(FIRST_PACE * RISKY_SECONDS * 1.1))
    assert not holdback.needs(1)
    _, _, holdback = held(int(FIRST_PACE * ALONE_SECONDS * 1.1))
    assert holdback.needs(1)


def test_a_scribe_that_is_slow_today_is_waited_for_sooner() -> None:
    clock, arrears, holdback = held(200_000)
    assert not holdback.needs(1)
    for number in range(2, 12):
        clock.now += 0.8
        arrears.settle(number - 1)
        arrears.end(number, 200_000)
    assert holdback.needs(11)


def test_a_short_answer_waits_where_an_older_one_is_not_written() -> None:
    clock, arrears, holdback = held(2_000)
    clock.now += OLD_SECONDS * 1.01
    arrears.end(2, 2_000)
    assert holdback.needs(2)
    arrears.despair()
    assert not holdback.needs(2), "a full disk is waited for by nobody"


async def test_it_goes_when_it_is_written_or_nothing_can_be() -> None:
    _, arrears, holdback = held(10_000_000)
    gone: list[int] = []
    holdback.hold(1, lambda: gone.append(1))
    arrears.end(2, 10)
    holdback.hold(2, lambda: gone.append(2))
    holdback.look()
    assert not gone
    arrears.settle(1)
    holdback.look()
    assert gone == [1]
    arrears.despair()
    holdback.look()
    assert gone == [1, 2]
    assert holdback.given_up == 1


async def test_nothing_is_held_for_long() -> None:
    clock, _, holdback = held(10_000_000)
    gone = asyncio.Event()
    holdback.hold(1, gone.set)
    clock.now += LONGEST_SECONDS * 1.01
    await asyncio.wait_for(gone.wait(), PATIENCE)
    assert holdback.given_up == 1


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is given up because this machine is slow."""
    monkeypatch.setattr(holdback, "LONGEST_SECONDS", PATIENCE)
    monkeypatch.setattr(arrears, "PATIENCE_SECONDS", PATIENCE)


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """A scribe that gets no processor."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def children(of: int) -> list[int]:
    tasks = Path(f"/proc/{of}/task/{of}/children").read_text(encoding="ascii")
    return [int(pid) for pid in tasks.split()]


async def ok(call: Call) -> None:
    await call.answer(b"fine")


async def endless(call: Call) -> None:
    await call.say(b"HTTP/1.1 200 OK\r\n\r\nfine")
    call.writer.close()


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
async def test_a_client_gets_the_end_when_the_exchange_is_in_the_file(
    tmp_path: Path,
) -> None:
    for number, handler in enumerate((ok, endless)):
        folder = tmp_path / str(number)
        folder.mkdir()
        before = set(children(os.getpid()))
        async with bench(folder, handler) as b:
            (scribe,) = set(children(os.getpid())) - before
            with stopped(scribe):
                assert (await b.ask(post(b"one"))).endswith(b"fine")
                await asyncio.sleep(OLD_SECONDS * 1.5)
                asked = asyncio.create_task(b.ask(post(b"two")))
                held = b.recorder.journal.holdback
                await until(partial(len, held))
                assert not asked.done()
            assert (await asked).endswith(b"fine")
            steps = open_session(str(b.path)).steps
            assert [s.exchange.request and s.exchange.request.body.raw for s in steps][
                1:
            ] == [b"two"]


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
async def test_a_recorder_that_ends_gives_what_it_holds(tmp_path: Path) -> None:
    before = set(children(os.getpid()))
    async with bench(tmp_path, ok) as b:
        (scribe,) = set(children(os.getpid())) - before
        with stopped(scribe):
            await b.ask(post(b"one"))
            await asyncio.sleep(OLD_SECONDS * 1.5)
            asked = asyncio.create_task(b.ask(post(b"two")))
            held = b.recorder.journal.holdback
            await until(partial(len, held))
            ending = asyncio.create_task(b.recorder.stop())
            assert (await asked).endswith(b"fine")
            assert not held.given_up, "it was not held for as long as may be"
        await ending
        session = open_session(str(b.path))
    assert len(session.steps) == 2
    endings = {s.exchange.response.ending for s in session.steps if s.exchange.response}
    assert endings == {"complete"}


@pytest.mark.slow
async def test_a_scribe_remembers_the_latest_bodies_before_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(tmp_path, ok) as b:
        await b.ask(post(b'{"said":"%b"}' % (b"again and again " * 400)))
        (step,) = (await b.finish()).steps
    loaded: list[int] = []
    load = BodySpace.load

    def counted(space: BodySpace, key: int) -> bytes:
        loaded.append(key)
        return load(space, key)

    monkeypatch.setattr(BodySpace, "load", counted)
    with SessionWriter.reopen(str(tmp_path / "r.session.jsonl")) as writer:
        writer.get_ready()
        assert len(loaded) == 2, "a request and its answer"
        loaded.clear()
        request = Request(method="GET", url="http://127.0.0.1/")
        exchange = Exchange(request=request)
        writer.append_step(replace(step, number=2, id="more", exchange=exchange))
        assert not loaded, "nothing is left to do for the first line"
