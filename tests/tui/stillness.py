"""An application under test is waited for by what it has to do, and not by the clock.

Textual's pilot sleeps 20 ms and more after each key, until the process works little,
and its screens paint up to 60 times a second meanwhile. Here it goes on once the loop
has nothing left that could run, and all is laid out. It is painted where a test reads
the picture, before another screen is laid on it, and before its application ends.
TESTS_PAINT=1 paints after each key, read or not: that finds what fails only in a
picture that nobody reads.
"""

from __future__ import annotations

import asyncio
import os
from time import process_time, time
from typing import Any
from weakref import WeakSet

# A screen would paint what it becomes on the way; once a second at most it does.
os.environ["TEXTUAL_FPS"] = "1"

import textual.app
import textual.pilot
from tests.patience import until
from textual._context import active_app
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.notifications import Notification
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerState

LINGER = 30.0
"""Times as long as for a user what is said in passing stays: a test reads it, however
long it took to get there."""
THREAD_SECONDS = 1.0
"""How long threads that work are waited for."""
QUIET_SECONDS = 0.02
"""After this long without work a thread is one that waits, and is left to."""
LOOK_SECONDS = 0.002
PAINTS_ALL = bool(os.environ.get("TESTS_PAINT"))
UNDER_WAY = (WorkerState.PENDING, WorkerState.RUNNING)


async def stillness(app: App[Any]) -> None:
    """Return once nothing can happen without a clock, a thread or a wire."""
    clock = asyncio.get_running_loop().time
    until = clock() + THREAD_SECONDS
    quiet_since, worked = clock(), process_time()
    while True:
        await _run_out()
        is_awaited = _has_threads(app) and clock() < until
        if is_awaited and clock() - quiet_since < QUIET_SECONDS:
            await asyncio.sleep(LOOK_SECONDS)
            if process_time() - worked > LOOK_SECONDS / 5:
                quiet_since = clock()
            worked = process_time()
        elif not _lay_out(app) and not (PAINTS_ALL and _paint(app)):
            return


async def workers_ended(app: App[Any]) -> None:
    """Return once no worker is under way, however they ended: a screen that goes
    cancels its own, though their work is done."""
    await until(lambda: all(each.state not in UNDER_WAY for each in app.workers))


async def _run_out() -> None:
    """Run all that is ready, and what that makes ready."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    while True:
        await asyncio.sleep(0)
        if not ready:
            return


def _lay_out(app: App[Any]) -> bool:
    """Lay out what is due; whether anything was."""
    if not app._screen_stack:
        return False
    if app._resize_event is not None:
        app._check_resize()
        return True
    screen: Screen[Any] = app.screen
    is_due = screen.is_current and bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )
    if is_due and not app._batch_count:
        screen._on_timer_update()
        return True
    return False


def _paint(app: App[Any]) -> bool:
    """Paint what changed on the screen on top; whether anything did."""
    if not app._screen_stack or app.screen not in _UNPAINTED:
        return False
    _UNPAINTED.discard(app.screen)
    _refresh(app.screen)
    return True


def _has_threads(app: App[Any]) -> bool:
    return any(
        worker._thread_worker and worker.state in UNDER_WAY for worker in app.workers
    )


async def _wait_for_screen(pilot: Pilot[Any], *_: object) -> bool:
    await stillness(pilot.app)
    return True


async def _wait_for_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    await stillness(active_app.get())


_UNPAINTED: WeakSet[Screen[Any]] = WeakSet()
_refresh = Screen._compositor_refresh


def _refresh_later(screen: Screen[Any]) -> None:
    """A screen is painted once for all that changed: half of the time of a test went
    into frames that nobody reads."""
    if screen is screen.app.screen:
        _UNPAINTED.add(screen)
        screen._dirty_widgets.clear()
    else:
        _refresh(screen)


_push = App.push_screen


def _paint_and_push(app: App[Any], *given: Any, **named: Any) -> Any:
    """What a dialog is laid on was painted before, as it stood then."""
    if not app._batch_count:
        _paint(app)
    return _push(app, *given, **named)


_close = App._shutdown


async def _paint_and_close(app: App[Any]) -> None:
    """What a test leaves on the screen can be painted, though it did not look."""
    if app.is_running and not app._exit:
        _paint(app)
    await _close(app)


_SHEETS: dict[tuple[object, ...], list[RuleSet]] = {}
_parse_rules = Stylesheet._parse_rules


def _parse_once(sheet: Stylesheet, *given: Any, **named: Any) -> list[RuleSet]:
    """Rules are read, never changed: all applications of a process can share them."""
    variables = frozenset(sheet._variables.items())
    key = (variables, given, frozenset(named.items()))
    if key not in _SHEETS:
        _SHEETS[key] = _parse_rules(sheet, *given, **named)
    return _SHEETS[key]


def _time_left(note: Notification) -> float:
    return note.raised_at + LINGER * note.timeout - time()


def install() -> None:
    """For all tests of this process."""
    Notification.time_left = property(_time_left)  # type: ignore[assignment,method-assign]
    textual.app.wait_for_idle = _wait_for_idle
    textual.pilot.wait_for_idle = _wait_for_idle
    Pilot._wait_for_screen = _wait_for_screen  # type: ignore[method-assign]
    Screen._compositor_refresh = _refresh_later  # type: ignore[method-assign]
    App.push_screen = _paint_and_push  # type: ignore[assignment,method-assign]
    App._shutdown = _paint_and_close  # type: ignore[method-assign]
    Stylesheet._parse_rules = _parse_once  # type: ignore[method-assign]
