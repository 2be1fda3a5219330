"""A loop in a thread of its own, for who must not wait in one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

from sigscope.threads import HEARD_SECONDS, join

T = TypeVar("T")


class LoopThread:
    """Runs from its making until `end`. All methods are for other threads."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def begin(self, what: Coroutine[object, object, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(what, self._loop)

    def wait_for(self, what: Coroutine[object, object, T]) -> T:
        """What comes of it; raises what it raises. Can be interrupted, also by a signal
        that comes right before the wait."""
        future = self.begin(what)
        while not future.done():
            with suppress(TimeoutError):
                future.exception(HEARD_SECONDS)
        return future.result()

    def do(self, what: Callable[[], object]) -> None:
        """Have it called, without waiting for that."""
        self._loop.call_soon_threadsafe(what)

    def end(self) -> None:
        self.do(self._loop.stop)
        join(self._thread)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
