"""An asynchronous generator that works in a thread, on a loop of its own.

What it computes between two awaits keeps no key waiting.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import TypeVar

T = TypeVar("T")


async def in_own_loop(
    items: AsyncGenerator[T], is_passing: Callable[[T], bool] = lambda item: False
) -> AsyncGenerator[T]:
    """The same items, one after another. One of passing interest (how far it is) that
    was not taken before the next one came is left out. Closed or cancelled, it cancels
    the generator and waits for what that still does: an answer may have been paid for,
    and is kept. Raises what the generator raises."""
    here, loop = asyncio.get_running_loop(), asyncio.new_event_loop()
    arrived, has_news = deque[T](), asyncio.Event()
    is_over = False

    async def drive() -> None:
        async with aclosing(items):
            async for item in items:
                here.call_soon_threadsafe(take, item)

    def take(item: T) -> None:
        if arrived and is_passing(item) and is_passing(arrived[-1]):
            arrived.pop()
        arrived.append(item)
        has_news.set()

    def end() -> None:
        """Behind the last item: that the thread is done may be known before it."""
        nonlocal is_over
        is_over = True
        has_news.set()

    task = loop.create_task(drive())

    def work() -> None:
        try:
            with suppress(asyncio.CancelledError):
                loop.run_until_complete(task)
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()
            here.call_soon_threadsafe(end)

    worked = here.run_in_executor(None, work)
    try:
        while arrived or not is_over:
            await has_news.wait()
            has_news.clear()
            while arrived:
                yield arrived.popleft()
                await asyncio.sleep(0)  # many that come at once let keys through
    finally:
        if not worked.done():
            with suppress(RuntimeError):  # it ended this very moment
                loop.call_soon_threadsafe(task.cancel)
            await asyncio.wait([worked])
        worked.result()
