"""Waiting for what another thread, process or clock does.

A limit only guards against hanging, so it is one that no machine needs, however slow
and busy. A test waits for the thing itself: one that sleeps for as long as the thing
takes here, and then asserts it, fails elsewhere.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds after which a test that waits gives up."""


def wait_until(
    is_so: Callable[[], object], what: str = "", *, every: float = 0.01
) -> None:
    """Wait in a thread of its own right, looking `every` so many seconds."""
    limit = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < limit, f"never happened: {what or is_so}"
        time.sleep(every)


async def until(
    is_so: Callable[[], object], what: str = "", *, every: float = 0.01
) -> None:
    """The same in a loop, which goes on meanwhile."""
    limit = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < limit, f"never happened: {what or is_so}"
        await asyncio.sleep(every)
