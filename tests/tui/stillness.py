"""An application under test is waited for by what it has to do, and not by the clock.

Textual's pilot sleeps 20 ms and more after each key, until the process works little,
and its screens paint up to 60 times a second meanwhile. Here it goes on once the loop
has nothing left that could run; what changed is painted then, once.
"""

from __future__ import annotations

import asyncio
import os
from time import process_time
from typing import Any
from weakref import WeakSet

# A screen would paint what it becomes on the way; once a second at most it does.
os.environ["TEXTUAL_FPS"] = "1"

import textual.app
import textual.pilot
from textual._context import active_app
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerState

THREAD_SECONDS = 1.0
"""How long threads that work are waited for."""
QUIET_SECONDS = 0.02
"""After this long without work a thread is one that waits, and is left to."""
LOOK_SECONDS = 0.002
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
        elif not _paint(app):
            return


async def _run_out() -> None:
    """Run all that is ready, and what that makes ready."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    while True:
        await asyncio.sleep(0)
        if not ready:
            return


def _paint(app: App[Any]) -> bool:
    """Lay out and paint what is due; whether anything was."""
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
    if screen in _UNPAINTED:
        _UNPAINTED.discard(screen)
        _refresh(screen)
        return True
    return False


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
    """A screen is painted once for all that changed, when nothing changes any more:
    half of the time of a test went into frames that the next one covered."""
    if screen is screen.app.screen:
        _UNPAINTED.add(screen)
        screen._dirty_widgets.clear()
    else:
        _refresh(screen)


_SHEETS: dict[tuple[object, ...], list[RuleSet]] = {}
_parse_rules = Stylesheet._parse_rules


def _parse_once(sheet: Stylesheet, *given: Any, **named: Any) -> list[RuleSet]:
    """Rules are read, never changed: all applications of a process can share them."""
    variables = frozenset(sheet._variables.items())
    key = (variables, given, frozenset(named.items()))
    if key not in _SHEETS:
        _SHEETS[key] = _parse_rules(sheet, *given, **named)
    return _SHEETS[key]


def install() -> None:
    """For all tests of this process."""
    textual.app.wait_for_idle = _wait_for_idle
    textual.pilot.wait_for_idle = _wait_for_idle
    Pilot._wait_for_screen = _wait_for_screen  # type: ignore[method-assign]
    Screen._compositor_refresh = _refresh_later  # type: ignore[method-assign]
    Stylesheet._parse_rules = _parse_once  # type: ignore[method-assign]
