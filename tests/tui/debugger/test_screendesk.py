"""Work in threads, of which only the newest of each group is heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from threading import Event
from typing import Any

from tests.patience import PATIENCE, until
from tests.tui.stillness import workers_ended
from textual.app import App
from textual.screen import Screen

from sigscope.tui.debugger.screendesk import ScreenDesk


class Slow(Screen[None]):
    """Gets round to what it is to call when a test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Callable[[], object]] = []

    def call_later(self, callback: Callable[..., Any], *given: Any, **_: Any) -> bool:
        self.waiting.append(partial(callback, *given))
        return True

    def catch_up(self) -> None:
        """Call all that waits, in the order it came."""
        while self.waiting:
            self.waiting.pop(0)()


@asynccontextmanager
async def busy() -> AsyncIterator[tuple[Slow, ScreenDesk]]:
    app = App[None]()
    async with app.run_test():
        screen = Slow()
        await app.push_screen(screen)
        screen.waiting.clear()
        yield screen, ScreenDesk(screen)
        await workers_ended(app)


async def ended(screen: Slow) -> None:
    await workers_ended(screen.app)


async def test_what_came_before_newer_work_began_is_not_heard_after_it() -> None:
    heard: list[str] = []
    async with busy() as (screen, desk):
        for name in ("older", "newer"):
            desk.aside("read", partial(str, name), heard.append)
            await ended(screen)
        screen.catch_up()
        assert heard == ["newer"]


async def test_nor_is_what_was_said_on_the_way_even_when_the_newer_has_ended() -> None:
    heard: list[str] = []
    begun, may_tell = Event(), Event()

    async with busy() as (screen, desk):

        def older() -> str:
            begun.set()
            may_tell.wait(PATIENCE)
            desk.later(heard.append, "half of the older")
            return "older"

        def newer() -> str:
            desk.later(heard.append, "half of the newer")
            return "newer"

        desk.aside("read", older, heard.append)
        (reading,) = screen.workers
        await until(begun.is_set)
        desk.aside("read", newer, heard.append)
        await until(lambda: len(screen.waiting) == 2)
        screen.catch_up()
        may_tell.set()
        await until(lambda: len(screen.waiting) == 1)
        assert reading.is_cancelled
        screen.catch_up()
        assert heard == ["half of the newer", "newer"]


async def test_what_is_cancelled_before_it_was_heard_is_not() -> None:
    heard: list[str] = []
    async with busy() as (screen, desk):

        def work() -> str:
            desk.later(heard.append, "as far as it was")
            return "all"

        desk.aside("read", work, heard.append)
        await ended(screen)
        desk.cancel("read")
        screen.catch_up()
        assert heard == ["as far as it was"]


async def test_groups_do_not_silence_one_another() -> None:
    heard: list[str] = []
    async with busy() as (screen, desk):
        desk.aside("read", partial(str, "one"), heard.append)
        desk.aside("look", partial(str, "two"), heard.append)
        await ended(screen)
        screen.catch_up()
        assert sorted(heard) == ["one", "two"]


async def test_a_task_that_was_cancelled_may_say_so() -> None:
    heard: list[str] = []
    begun = Event()
    async with busy() as (screen, desk):

        async def work() -> None:
            begun.set()
            try:
                await asyncio.sleep(PATIENCE)
            finally:
                desk.later(heard.append, "cancelled")

        desk.begin("send", work)
        await until(begun.is_set)
        desk.cancel("send")
        await until(lambda: bool(screen.waiting))
        screen.catch_up()
        assert heard == ["cancelled"]
