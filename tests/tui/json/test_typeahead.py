"""Keys pressed while a large body is being read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from tests.patience import PATIENCE, until
from tests.tui.json.harness import Harness, body_subject
from tests.tui.stillness import workers_ended
from textual import events
from textual.pilot import Pilot

from sigscope.tui.json import JsonPane
from sigscope.tui.json.source import JsonSource

LAST = 399
LARGE: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "user", "content": f"message {number} " + "words " * 80}
        for number in range(LAST + 1)
    ],
}


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Large documents are read when it is set."""
    opened = Event()
    warm = JsonSource.warm

    def warm_behind_the_gate(source: JsonSource) -> Iterator[float]:
        assert opened.wait(PATIENCE)
        return warm(source)

    monkeypatch.setattr(JsonSource, "warm", warm_behind_the_gate)
    yield opened
    opened.set()


async def shut(app: Harness, pilot: Pilot[Any]) -> None:
    """The pane has the focus, and its body is being read."""
    app.pane.focus()
    app.pane.subject = body_subject(json.dumps(LARGE).encode())
    await pilot.pause()
    assert app.pane.is_reading
    assert not app.pane.request_tree.row_count


async def press(app: Harness, pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        character = " " if key == "space" else key if len(key) == 1 else None
        app.post_message(events.Key(key, character))
    await pilot.pause()


async def read(app: Harness, gate: Event, pilot: Pilot[Any]) -> None:
    gate.set()
    await pressed_again(app, pilot)


async def pressed_again(app: Harness, pilot: Pilot[Any]) -> None:
    """Whatever had to wait was pressed again, or was forgotten."""
    waiting = app.pane._typed_ahead
    await until(lambda: waiting._timer is None and not waiting._keys)
    await workers_ended(app)
    await pilot.pause()


def place(app: Harness) -> str:
    leaf = app.pane.request_tree.leaf()
    return leaf.pointer if leaf else "nowhere"


async def test_they_count_once_it_is_read(gate: Event) -> None:
    app = Harness(None)
    async with app.run_test(size=(100, 30)) as pilot:
        await shut(app, pilot)
        await press(app, pilot, "G", "l", "G")
        await read(app, gate, pilot)
        assert place(app) == f"/messages/{LAST}"


async def test_a_search_that_stands_behind_them_waits_with_its_text(
    gate: Event,
) -> None:
    app = Harness(None)
    async with app.run_test(size=(100, 30)) as pilot:
        await shut(app, pilot)
        await press(app, pilot, "G", "slash", *"message", "space", *"123", "enter")
        await read(app, gate, pilot)
        assert app.pane.finder.text == "message 123"
        assert place(app) == "/messages/123/content"


async def test_a_chord_waits_as_a_whole(gate: Event) -> None:
    app = Harness(None)
    async with app.run_test(size=(100, 30)) as pilot:
        await shut(app, pilot)
        await press(app, pilot, "G", "y", "p")
        await read(app, gate, pilot)
        assert app.last(JsonPane.CopyRequested).text == "/messages"


async def test_other_tabs_and_panes_are_there_at_once_and_what_waited_is_dropped(
    gate: Event,
) -> None:
    app = Harness(None)
    async with app.run_test(size=(100, 30)) as pilot:
        await shut(app, pilot)
        await press(app, pilot, "greater_than_sign")
        assert app.pane.tab == "response"
        await press(app, pilot, "less_than_sign", "G")
        app.set_focus(None)
        await read(app, gate, pilot)
        assert place(app) == ""


async def test_before_there_is_a_subject_they_wait_too() -> None:
    app = Harness(None)
    async with app.run_test(size=(100, 30)) as pilot:
        app.pane.focus()
        await press(app, pilot, "G")
        app.pane.subject = body_subject(b'{"model": "m", "messages": []}')
        await pressed_again(app, pilot)
        assert place(app) == "/messages"
