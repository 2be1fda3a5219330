"""Every key on a session of a thousand steps: processor time until its first paint.

The answers are streamed, eight events 40 ms apart: there are lanes in the timeline, and
events to step through. Garbage is looked for as often as the program does.

Textual's test driver stands in for the terminal. Counted is the time of the thread that
paints, from the key to the first cells after it: what goes on in other threads does not
keep the next key waiting. A key that opens a screen has another budget: making widgets
is most of it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import rows_check
import rows_screens
from sigscope.exchange import Body, Chunk
from sigscope.session import Session, Step
from sigscope.store import save_session
from sigscope.store.redact import Redactor
from sigscope.tui import garbage

STEPS = 1000
KEY, LAYOUT, SCREEN = 0.010, 1 / 60, 0.100
"""Seconds for a key that moves (design 11), for one that has panes laid out anew (a
frame of a terminal), and for one that opens a screen: what is felt as at once."""
PRESSES, OPENINGS = 5, 3
"""Times a key is pressed; one that opens a screen or is taken back each time."""
PATIENCE = 1.0
"""Seconds after which a key paints nothing any more: it is none to be measured."""
EVENTS, APART = 8, 40.0
"""Events of each answer, and the milliseconds between two."""
LASTING = ("visit", "ask")
"""Groups of tasks that last as long as the screen or the dialog they opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """A key, and where it is pressed."""

    name: str
    key: str
    before: tuple[str, ...] = ()
    """Keys that lead there."""
    after: tuple[str, ...] = ()
    """Keys pressed after each time, which are not measured."""
    limit: float = KEY
    """Seconds that its median may take."""
    loses: bool = False
    """Whether it is pressed in the session that loses every signature."""


KEYS = (
    Pressed(name="next step", key="right_curly_bracket"),
    Pressed(name="down in Steps", key="j", before=("1",)),
    Pressed(name="end of Steps", key="G", before=("1",), after=("g", "g")),
    Pressed(name="down in Signatures", key="j", before=("2",)),
    Pressed(name="end of Signatures", key="G", before=("2",), after=("g", "g")),
    Pressed(name="down in Chat", key="j", before=("3",)),
    Pressed(name="end of Chat", key="G", before=("3",), after=("g", "g")),
    Pressed(name="down in JSON", key="j", before=("4",)),
    Pressed(name="end of JSON", key="G", before=("4",), after=("g", "g")),
    Pressed(name="fold in JSON", key="l", before=("4", "g", "g", "j", "j"),
            after=("h",)),
    Pressed(name="switch in JSON", key="space", before=("4", "g", "g", "j"),
            after=("space",)),
    Pressed(name="next tab of JSON", key="greater_than_sign", before=("4",),
            limit=LAYOUT),
    Pressed(name="down in Timeline", key="j", before=("5", *("k",) * PRESSES)),
    Pressed(name="down in Findings", key="j", before=("6",), loses=True),
    Pressed(name="next pane", key="tab"),
    Pressed(name="follow", key="o", before=("2",)),
    Pressed(name="zoom", key="z", before=("3",), limit=LAYOUT),
    Pressed(name="next anomaly", key="exclamation_mark", loses=True),
    Pressed(name="apply fix", key="f", before=("exclamation_mark",),
            after=("backspace",), loses=True, limit=LAYOUT),
    Pressed(name="Diff", key="d", before=("4",), after=("escape",), limit=LAYOUT),
    Pressed(name="Step through", key="P", after=("escape",), limit=SCREEN),
    Pressed(name="event in Step through", key="right_square_bracket",
            before=("escape", "P"), after=("left_square_bracket",)),
    Pressed(name="Timeline", key="T", before=("escape",), after=("escape",),
            limit=SCREEN),
    Pressed(name="Overview", key="Z", after=("escape",), limit=SCREEN),
    Pressed(name="right in Overview", key="l", before=("Z", "g")),
    Pressed(name="zoom in Overview", key="plus"),
    Pressed(name="Paths", key="I", before=("escape",), after=("escape",), limit=SCREEN),
    Pressed(name="down in Paths", key="j", before=("I",)),
    Pressed(name="right in Paths", key="l", before=("g",)),
    Pressed(name="Compare", key="D", before=("escape",), after=("escape",),
            limit=SCREEN),
    Pressed(name="Search all", key="semicolon", after=("escape",), limit=SCREEN),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Seconds of the painting thread."""

    median: float
    worst: float


def rows() -> Iterator[dict[str, Any]]:
    """Each key's median; the worst is said in its name's row."""
    with tempfile.TemporaryDirectory(prefix="sigscope-bench-") as name:
        paths = {loses: _session(Path(name), loses=loses) for loses in (False, True)}
        for pressed in KEYS:
            for what in ("median", "worst"):
                yield {
                    "name": f"{pressed.name}, CPU, {what}",
                    "ours": lambda p=pressed, w=what: getattr(
                        costs(paths[p.loses], p.loses)[p.name], w
                    ),
                    "limit": pressed.limit if what == "median" else None,
                    "rounds": 1,
                }


def _session(folder: Path, *, loses: bool) -> Path:
    path = folder / f"agent{'-lossy' * loses}.session.jsonl"
    steps = map(_streamed, rows_check.dense_conversation(STEPS, loses=loses))
    session = Session(id="bench", steps=tuple(steps))
    save_session(session, str(path), redactor=_NothingToHide())
    return path


def _streamed(step: Step) -> Step:
    """The step with the same answer in events, as most clients get it."""
    response = step.exchange.response
    choice = json.loads(response.body.raw)["choices"][0]
    reply = choice["message"]
    calls = [{"index": 0, **call} for call in reply["tool_calls"]]
    thought = reply["reasoning_text"]
    words = [thought[at::EVENTS] for at in range(EVENTS - 3)]
    deltas: list[dict[str, Any]] = [
        *({"reasoning_text": word} for word in words),
        {"tool_calls": calls},
        {rows_check.OPAQUE: reply[rows_check.OPAQUE]},
        {},
    ]
    raw, chunks = b"", []
    for number, delta in enumerate(deltas):
        ending = None if delta else choice["finish_reason"]
        told = {"index": 0, "delta": delta, "finish_reason": ending}
        data = {"model": rows_check.MODEL, "choices": [told]}
        raw += b"data: " + json.dumps(data).encode() + b"\n\n"
        chunks.append(Chunk(end=len(raw), at_ms=300 + APART * number))
    streamed = replace(
        response,
        headers=(("content-type", "text/event-stream"),),
        body=Body(raw=raw),
        chunks=tuple(chunks),
        ending="complete",
    )
    last = chunks[-1].at_ms
    exchange = replace(step.exchange, response=streamed, duration_ms=last)
    return replace(step, exchange=exchange)


class _NothingToHide(Redactor):
    """Looks for no secrets: they would take half a minute for each session."""

    def step(self, step: Step) -> tuple[Step, Counter[str]]:
        return step, Counter()


@cache
def costs(path: Path, loses: bool = False) -> dict[str, Cost]:
    """What each key costs, one after the other on one screen."""
    before = gc.get_threshold()
    gc.set_threshold(*garbage.EVERY)
    try:
        return asyncio.run(_costs(path, loses))
    finally:
        gc.set_threshold(*before)


async def _costs(path: Path, loses: bool) -> dict[str, Cost]:
    from sigscope.tui.screens.debugger import DebuggerScreen

    found: dict[str, Cost] = {}
    app, context = rows_screens._open(path)
    async with context as pilot:
        await rows_screens._until(
            lambda: (
                isinstance(app.screen, DebuggerScreen)
                and app.screen.model.overview is not None
                and app.screen.model.overview.is_checked
            )
        )
        for pressed in KEYS:
            if pressed.loses == loses:
                await _rest(app, pilot)
                found[pressed.name] = await _cost(app, pilot, pressed)
    return found


async def _cost(app: Any, pilot: Any, pressed: Pressed) -> Cost:
    for key in pressed.before:
        await pilot.press(key)
        await _rest(app, pilot)
    painted = asyncio.Event()
    display = app._display
    moments: list[float] = []

    def note(*given: Any) -> None:
        display(*given)
        moments.append(time.thread_time())
        painted.set()

    app._display = note
    taken = []
    try:
        for _ in range(
            OPENINGS if pressed.limit == SCREEN or pressed.after else PRESSES
        ):
            painted.clear()
            moments.clear()
            begun = time.thread_time()
            pressing = asyncio.create_task(pilot.press(pressed.key))
            try:
                await asyncio.wait_for(painted.wait(), PATIENCE)
            except TimeoutError:
                raise SystemExit(f"{pressed.name}: the key paints nothing") from None
            taken.append(moments[0] - begun)
            await pressing
            await _rest(app, pilot)
            for key in pressed.after:
                await pilot.press(key)
                await _rest(app, pilot)
    finally:
        app._display = display
    return Cost(median=statistics.median(taken), worst=max(taken))


async def _rest(app: Any, pilot: Any) -> None:
    """Until the screen is at rest; what waits for the user to come back is."""
    await pilot.pause(rows_screens.REST)
    for _ in range(200):
        if not any(w.is_running for w in app.workers if w.group not in LASTING):
            break
        await asyncio.sleep(0.02)
    await pilot.pause()
