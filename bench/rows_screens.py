"""The screens on large input: first paint, and a key's way to the painted cell.

Textual's test driver stands in for the terminal: what is measured is all that happens
between a key and the first cells drawn after it, but for the terminal's own drawing.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

from textual.events import Key

from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Session, Step
from sigscope.store import save_session
from sigscope.store.lines import crc, encode_line

FRAME = 0.016
"""Seconds a key may take, the time of one frame."""
URL = "https://api.githubcopilot.com/chat/completions"
EVENTS = 10_000
GIGABYTE = 1_000_000_000
Measure = Callable[[Any, Any, str], Coroutine[Any, Any, float]]
KEYS = 40
REST = 0.15
"""Seconds after which a screen is at rest: more than any delay that it has."""


def rows() -> Iterator[dict[str, Any]]:
    """First paint of 100 MB and of 1 GB; keys in 10,000 events and in 20 MB; search in
    20 MB."""
    with tempfile.TemporaryDirectory(prefix="sigscope-bench-") as folder:
        yield from _rows(Path(folder))


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    importlib.import_module("sigscope.tui.visits")  # the screens of a session

    large = _saved(folder / "large.session.jsonl", _many_steps(100, 1_000_000))
    body = _saved(folder / "body.session.jsonl", _many_steps(1, 20_000_000))
    stream = _saved(folder / "stream.session.jsonl", [_streamed()])
    yield {
        "name": f"first paint of a session of {_megabytes(large)}",
        "ours": lambda: asyncio.run(_first_paint(large)),
        "references": {"json.loads of its lines": lambda: _time(_parse_lines, large)},
        "limit": 0.25,
        "rounds": 3,
    }
    if shutil.disk_usage(folder).free > 3 * GIGABYTE:
        huge = _huge(folder / "huge.session.jsonl", large)
        yield {
            "name": "first paint of a session of 1 GB",
            "ours": lambda: asyncio.run(_first_paint(huge)),
            "limit": 1.0,
            "rounds": 3,
        }
    else:
        print(f"first paint of 1 GB: no room in {folder}", file=sys.stderr)
    yield {
        "name": f"a key while stepping through {EVENTS:,} events",
        "ours": lambda: asyncio.run(_keys(stream, "right_square_bracket")),
        "references": _frame(),
        "ratio": 1.0,
        "rounds": 3,
    }
    yield {
        "name": f"a key in the step-through screen, {EVENTS:,} events",
        "ours": lambda: asyncio.run(_steps(stream)),
        "references": _frame(),
        "ratio": 1.0,
        "rounds": 3,
    }
    yield {
        "name": f"a key while moving in a body of {_megabytes(body)}",
        "ours": lambda: asyncio.run(_keys(body, "j")),
        "references": _frame(),
        "ratio": 1.0,
        "rounds": 3,
    }
    yield {
        "name": f"a key held down in a body of {_megabytes(body)}",
        "ours": lambda: asyncio.run(_keys(body, "j", _held_down)),
        "references": _frame(),
        "ratio": 1.0,
        "rounds": 3,
    }
    yield {
        "name": f"search through {_megabytes(body)}, to its end",
        "ours": lambda: asyncio.run(_search(body)),
        "references": {"json.loads": lambda: _time(_parse_lines, body)},
        "rounds": 3,
    }


def _frame() -> dict[str, Callable[[], float]]:
    return {"one frame": lambda: FRAME}


def _time(work: Callable[[Path], object], path: Path) -> float:
    begun = time.perf_counter()
    work(path)
    return time.perf_counter() - begun


def _parse_lines(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            json.loads(line)


def _megabytes(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.0f} MB"


# --- Sessions ----------------------------------------------------------------------


def _many_steps(count: int, size: int) -> list[Step]:
    """Steps that share nothing, so that the file is as large as its bodies."""
    steps = []
    random = Random(1)
    for number in range(1, count + 1):
        messages = [
            {"role": "user", "content": f"word {random.randbytes(450).hex()}"}
            for _ in range(size // 940)
        ]
        body = {"model": "gemini-3-pro-preview", "messages": messages}
        steps.append(_step(number, json.dumps(body).encode(), b'{"choices":[]}'))
    return steps


def _streamed() -> Step:
    delta = '{{"choices":[{{"index":0,"delta":{{"content":"word {0} "}}}}]}}'
    events = "".join(f"data: {delta.format(n)}\n\n" for n in range(EVENTS))
    return _step(1, b'{"messages":[]}', events.encode(), "text/event-stream")


def _step(number: int, sent: bytes, got: bytes, kind: str = "application/json") -> Step:
    headers = (("content-type", kind),)
    exchange = Exchange(
        request=Request(method="POST", url=URL, headers=(), body=Body(raw=sent)),
        response=Response(status=200, headers=headers, body=Body(raw=got)),
    )
    return Step(number=number, id=f"s{number}", exchange=exchange)


def _saved(path: Path, steps: list[Step]) -> Path:
    session = Session(id=path.stem, title=path.stem, steps=tuple(steps))
    save_session(session, str(path))
    return path


def _huge(path: Path, large: Path) -> Path:
    """1,000 steps of 1 MB, each written like the first of `large`."""
    with large.open("rb") as file:
        header, first = next(file), json.loads(next(file))
    del first["sum"]
    filler = Random(2).randbytes(499_900).hex()
    answer = first["exchange"]["response"]["body"]
    at = 0
    with path.open("wb") as file:
        file.write(header)
        for number in range(1, 1001):
            content = {"role": "user", "content": f"{number} {filler}"}
            text = json.dumps({"model": "gemini-3-pro-preview", "messages": [content]})
            place = {"at": at, "size": len(text), "crc": crc(text.encode())}
            first["number"], first["id"] = number, f"s{number}"
            first["exchange"]["request"]["body"] = place
            first["bodies"]["request"] = {"text": text}
            answer["at"] = at + len(text)
            at += len(text) + answer["size"]
            file.write(encode_line(first))
    return path


# --- Screens -----------------------------------------------------------------------


async def _first_paint(path: Path) -> float:
    """As `sigscope FILE` opens it: garbage is not looked for while it starts."""
    from sigscope.tui.panes.steps import StepsPane

    gc.collect()
    gc.disable()
    begun = time.perf_counter()
    try:
        app, context = _open(path)
        async with context:
            await _until(lambda: any(p.items for p in app.screen.query(StepsPane)))
            return time.perf_counter() - begun
    finally:
        gc.enable()


async def _keys(path: Path, key: str, measure: Measure | None = None) -> float:
    """What a key costs in the JSON pane, after a first one that loads."""

    async def press(app: Any, pilot: Any) -> float:
        await _on_json(app, pilot)
        if key == "right_square_bracket":
            await pilot.press("greater_than_sign", "greater_than_sign")
            await pilot.pause(0.2)
        else:
            await pilot.press("G", "l")
            await pilot.pause(0.5)
        await pilot.press(key)
        return await (measure or _paint_after)(app, pilot, key)

    return await _within(path, press)


async def _steps(path: Path) -> float:
    """The median over some presses; event, message, client and time are drawn in one
    frame."""
    from sigscope.tui.stepthrough.screen import StepScreen

    async def press(app: Any, pilot: Any) -> float:
        await _on_json(app, pilot)
        await pilot.press("P")
        await _until(
            lambda: isinstance(app.screen, StepScreen) and app.screen.model.count
        )
        await pilot.press("n", "]")
        return await _paint_after(app, pilot, "right_square_bracket")

    return await _within(path, press)


async def first_ledger(path: Path) -> float:
    """Seconds from the first painted steps to the first painted signatures."""
    from sigscope.tui.panes.signatures import SignaturesPane
    from sigscope.tui.panes.steps import StepsPane

    async def wait(app: Any, pilot: Any) -> float:
        await _until(lambda: any(p.items for p in app.screen.query(StepsPane)))
        begun = time.perf_counter()
        pane = app.screen.query_one(SignaturesPane)
        await _until(lambda: pane.items, every=0.02)  # the study wants the processor
        return await _next_paint(app) - begun

    return await _within(path, wait)


async def _next_paint(app: Any) -> float:
    """When cells are handed to the terminal next. A pause of the pilot waits until the
    process is at rest, and beside a thread that reads on for a second in vain."""
    painted: asyncio.Future[float] = asyncio.get_running_loop().create_future()
    display = app._display

    def note(*given: Any) -> None:
        display(*given)
        if not painted.done():
            painted.set_result(time.perf_counter())

    app._display = note
    try:
        return await asyncio.wait_for(painted, 10)
    finally:
        app._display = display


async def key_in_ledger(path: Path) -> float:
    """Seconds from a key to the paint after it, in the pane of signatures."""
    from sigscope.tui.panes.signatures import SignaturesPane

    async def press(app: Any, pilot: Any) -> float:
        await _until(lambda: any(p.items for p in app.screen.query(SignaturesPane)))
        await _until(lambda: app.screen.model.shown is not None)
        await pilot.press("2", "j")
        return await _paint_after(app, pilot, "j")

    return await _within(path, press)


async def _search(path: Path) -> float:
    from sigscope.tui.json import JsonPane

    async def search(app: Any, pilot: Any) -> float:
        await _on_json(app, pilot)
        begun = time.perf_counter()
        pane = app.screen.query_one(JsonPane)
        pane.search("a phrase that is nowhere")
        await _until(
            lambda: (
                pane.finder.search is not None and pane.finder.search.words == "0 found"
            )
        )
        return time.perf_counter() - begun

    return await _within(path, search)


async def _on_json(app: Any, pilot: Any) -> None:
    from sigscope.tui.screens.debugger import DebuggerScreen

    await _until(lambda: isinstance(app.screen, DebuggerScreen))
    await pilot.pause(0.3)
    await pilot.press("4")
    await pilot.pause(0.3)


async def _paint_after(app: Any, pilot: Any, key: str) -> float:
    """Seconds from a key, on a screen at rest, to the first cells handed to the
    terminal after it; the median of some. The moment is taken where they are handed
    over: what runs after that does not keep them back."""
    painted = asyncio.Event()
    display = app._display
    moments: list[float] = []

    def note(*given: Any) -> None:
        display(*given)
        moments.append(time.perf_counter())
        painted.set()

    app._display = note
    taken = []
    for _ in range(KEYS):
        await pilot.pause(REST)
        painted.clear()
        moments.clear()
        begun = time.perf_counter()
        pressing = asyncio.create_task(pilot.press(key))
        await asyncio.wait_for(painted.wait(), 10)
        taken.append(moments[0] - begun)
        await pressing
    return statistics.median(taken)


async def _held_down(app: Any, pilot: Any, key: str) -> float:
    """Seconds for each of many keys that come in one breath, all that follows them
    done: a key that is held down may not run on after it is let go."""
    await pilot.pause(REST)
    begun = time.perf_counter()
    for _ in range(KEYS):
        pressed = Key(key, None)
        pressed.set_sender(app)
        app.post_message(pressed)
    await pilot.pause()
    return (time.perf_counter() - begun) / KEYS


async def _until(is_so: Callable[[], object], every: float = 0.002) -> None:
    for _ in range(30_000):
        if is_so():
            return
        await asyncio.sleep(every)
    raise SystemExit("the screen never came to it")


async def _within(
    path: Path, work: Callable[[Any, Any], Coroutine[Any, Any, float]]
) -> float:
    app, context = _open(path)
    async with context as pilot:
        return await work(app, pilot)


def _open(path: Path) -> tuple[Any, Any]:
    from sigscope.tui.app import SigscopeApp

    app = SigscopeApp(str(path))
    return app, app.run_test(size=(120, 36))
