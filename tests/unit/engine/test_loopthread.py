"""A loop in a thread of its own, and who waits for it."""

from __future__ import annotations

import _thread
import asyncio
from contextlib import suppress
from threading import Timer

import pytest

from sigscope.engine.loopthread import LoopThread


def test_what_a_coroutine_raises_is_raised() -> None:
    async def late() -> None:
        raise TimeoutError("its own")

    thread = LoopThread("test")
    with pytest.raises(TimeoutError, match="its own"):
        thread.wait_for(late())
    assert thread.wait_for(asyncio.sleep(0, 7)) == 7
    thread.end()


def test_an_interrupt_that_wakes_nobody_is_heard() -> None:
    """As one that comes right before the system is asked to wait."""
    thread = LoopThread("test")
    is_due = asyncio.Event()
    has_ended = False

    async def work() -> None:
        nonlocal has_ended
        Timer(0.05, _thread.interrupt_main).start()
        with suppress(TimeoutError):
            await asyncio.wait_for(is_due.wait(), 5)
        has_ended = True

    with pytest.raises(KeyboardInterrupt):
        thread.wait_for(work())
    assert not has_ended
    thread.do(is_due.set)
    thread.wait_for(asyncio.sleep(0.01))
    thread.end()
