"""The desk of a Textual screen."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from textual.screen import Screen
from textual.worker import Worker, active_worker, get_current_worker

from sigscope.exchange import Request
from sigscope.tui import figures
from sigscope.tui.clipboard import copy
from sigscope.tui.debugger.desk import Loudness
from sigscope.tui.faults import said_of, take_fault
from sigscope.tui.keymap import key_on
from sigscope.tui.notices import take_back

T = TypeVar("T")


class ScreenDesk:
    """A `Desk`: tasks and threads are workers of the screen, and end with it."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._newest: dict[str, Worker[Any]] = {}
        """By group, the thread that began last."""

    @property
    def width(self) -> int:
        return self._screen.app.size.width

    def tell(
        self,
        words: str,
        *,
        title: str = "",
        severity: Loudness = "information",
        timeout: float = 4,
    ) -> None:
        self._screen.notify(
            words, title=title, severity=severity, markup=False, timeout=timeout
        )

    def take_back(self, title: str) -> None:
        take_back(self._screen.app, title)

    def key(self, command: str) -> str:
        return key_on(self._screen, command)

    def once_painted(self, call: Callable[[], object]) -> None:
        self._screen.call_after_refresh(call)

    def later(self, call: Callable[..., object], *given: Any) -> None:
        teller = active_worker.get(None)
        self._screen.call_later(self._hear, teller, call, *given)

    def _hear(
        self, teller: Worker[Any] | None, call: Callable[..., object], *given: Any
    ) -> None:
        """What a thread had said when a newer one of its group began is heard no
        more."""
        if teller is None or self._newest.get(teller.group, teller) is teller:
            self._call(teller.group if teller else "screen", partial(call, *given))

    def _call(self, group: str, call: Callable[[], object]) -> None:
        """An error in here would end the screen's loop, and with it the program."""
        try:
            call()
        except Exception as error:  # noqa: BLE001 - told, and the screen goes on
            take_fault(self._screen.app, error, group)

    def aside(
        self,
        group: str,
        work: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[str], object] | None = None,
    ) -> None:
        def run() -> None:
            worker = get_current_worker()
            try:
                found = work()
            except Exception as error:
                if failed is not None and not worker.is_cancelled:
                    words = said_of(self._screen.app, error)
                    self._screen.call_later(take, worker, partial(failed, words))
                raise  # the application tells it
            if not worker.is_cancelled:
                self._screen.call_later(take, worker, partial(done, found))

        def take(worker: Worker[Any], call: Callable[[], object]) -> None:
            # It may have been given up since, while this waited for its turn.
            if self._newest.get(group) is worker and not worker.is_cancelled:
                self._call(group, call)

        self._newest[group] = self._screen.run_worker(
            run, group=group, description=group, thread=True, exclusive=True
        )

    def is_over(self) -> bool:
        return get_current_worker().is_cancelled

    def begin(self, group: str, work: Callable[[], Awaitable[object]]) -> None:
        async def run() -> object:
            return await work()

        task: Callable[[], Awaitable[object]] = run
        self._screen.run_worker(task, group=group, description=group, exclusive=True)

    def cancel(self, group: str) -> None:
        if group in self._newest:
            self._newest[group].cancel()  # one that has ended may not be heard yet
        self._screen.workers.cancel_group(self._screen, group)

    async def ask(self, dialog: Screen[T]) -> T | None:
        return await self._screen.app.push_screen_wait(dialog)

    def copy(
        self, text: str, what: str, requests: Iterable[Request | None] = ()
    ) -> None:
        """Copy to wherever one can paste from, and say where that is. `requests`: no
        file gets what they were sent with."""
        app = self._screen.app
        tell = partial(app.call_from_thread, app.copy_to_clipboard)

        def told(where: str) -> None:
            size = figures.count(len(text), "char")
            timeout = 3 if where.startswith("to the clipboard") else 12
            words = f"{what}, {size}, {where}"
            self.tell(words, title="Copied", timeout=timeout)

        self.aside("copy", partial(copy, text, tell, os.environ, requests), told)
