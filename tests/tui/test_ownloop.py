"""A generator in a thread of its own: what is handed over, and how it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

import pytest
from tests.patience import PATIENCE

from sigscope.tui.ownloop import in_own_loop


async def numbers(count: int, where: list[int] | None = None) -> AsyncGenerator[int]:
    for number in range(count):
        if where is not None:
            where.append(threading.get_ident())
        yield number
        await asyncio.sleep(0)


async def taken(items: AsyncGenerator[int]) -> list[int]:
    async with aclosing(items):
        return [item async for item in items]


def test_items_come_in_order_and_are_made_elsewhere() -> None:
    where: list[int] = []
    assert asyncio.run(taken(in_own_loop(numbers(100, where)))) == [*range(100)]
    assert threading.get_ident() not in where


def test_what_is_over_before_it_is_waited_for_is_handed_over() -> None:
    """Python 3.15 knows at once of a thread that has come to its end."""

    class AtOnce(ThreadPoolExecutor):
        def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(*args, **kwargs)
            future.exception()
            return future

    async def see() -> list[int]:
        asyncio.get_running_loop().set_default_executor(AtOnce(1))
        return await taken(in_own_loop(numbers(3)))

    assert asyncio.run(see()) == [0, 1, 2]


def test_of_passing_ones_the_last_is_never_left_out() -> None:
    """A service that stalls: what came so far is on show."""

    async def see() -> list[int]:
        found = list[int]()
        stalls = asyncio.Event()

        async def stalling() -> AsyncGenerator[int]:
            for number in range(1000):
                yield number
            await stalls.wait()

        async with aclosing(in_own_loop(stalling(), lambda item: True)) as items:
            async for item in items:
                found.append(item)
                if item == 999:
                    break
        return found

    found = asyncio.run(asyncio.wait_for(see(), PATIENCE))
    assert found == sorted(set(found))
    assert found[-1] == 999


def test_what_counts_is_never_left_out() -> None:
    found = asyncio.run(taken(in_own_loop(numbers(1000), lambda item: item % 7 > 0)))
    assert [item for item in found if item % 7 == 0] == [*range(0, 1000, 7)]


def test_what_it_raises_is_raised_after_what_it_made() -> None:
    found: list[int] = []

    async def failing() -> AsyncGenerator[int]:
        yield 1
        raise ValueError("no more")

    async def see() -> None:
        async with aclosing(in_own_loop(failing())) as items:
            async for item in items:
                found.append(item)

    with pytest.raises(ValueError, match="no more"):
        asyncio.run(see())
    assert found == [1]


def test_one_that_is_cancelled_is_waited_for() -> None:
    """What it still does then, such as keeping what was paid for, is done."""
    done: list[str] = []

    async def waiting() -> AsyncGenerator[int]:
        try:
            yield 1
            await asyncio.sleep(PATIENCE)
        finally:
            await asyncio.sleep(0.01)
            done.append("kept")

    async def see() -> None:
        begun = asyncio.Event()

        async def take() -> None:
            async with aclosing(in_own_loop(waiting())) as items:
                async for _ in items:
                    begun.set()

        task = asyncio.create_task(take())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert done == ["kept"]

    asyncio.run(see())


def test_the_loop_is_free_while_it_computes() -> None:
    """It goes on only once something was done here meanwhile."""
    is_free = threading.Event()

    async def computing() -> AsyncGenerator[bool]:
        yield is_free.wait(PATIENCE)

    async def see() -> list[bool]:
        asyncio.get_running_loop().call_later(0, is_free.set)
        async with aclosing(in_own_loop(computing())) as items:
            return [item async for item in items]

    assert asyncio.run(see()) == [True]
