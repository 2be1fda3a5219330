"""When garbage is looked for, decided by a clock of the test."""

from __future__ import annotations

import gc

import pytest
from textual import events

from sigscope.tui import garbage
from sigscope.tui.app import SigscopeApp
from sigscope.tui.garbage import GarbagePace


class Collector:
    """Stands for Python's: looks for as long as it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.takes = 100.0, 0.01
        self.portions = garbage.PORTIONS
        self.done: list[str] = []
        monkeypatch.setattr(gc, "collect", self.collect)
        monkeypatch.setattr(gc, "freeze", lambda: self.done.append("spared"))
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, self.portions))

    def collect(self) -> int:
        self.done.append("looked")
        self.now += self.takes
        return 0


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Collector:
    return Collector(monkeypatch)


def test_who_is_at_the_keys_is_not_kept_waiting(collector: Collector) -> None:
    pace = GarbagePace(lambda: collector.now)
    collector.now += garbage.IDLE_SECONDS - 1
    pace.look()
    assert collector.done == []
    pace.touch()
    collector.now += garbage.IDLE_SECONDS - 1
    pace.look()
    assert collector.done == []
    collector.now += 2
    pace.look()
    assert collector.done == ["looked"]


def test_where_little_was_made_it_is_not_looked(collector: Collector) -> None:
    pace = GarbagePace(lambda: collector.now)
    collector.now += 60
    collector.portions -= 1
    pace.look()
    assert collector.done == []


def test_what_takes_long_to_look_through_is_spared(collector: Collector) -> None:
    pace = GarbagePace(lambda: collector.now)
    collector.now += 60
    collector.takes = garbage.LONG_SECONDS * 2
    pace.look()
    assert collector.done == ["looked", "spared"]


def test_the_screens_look_in_small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, ...]] = []
    monkeypatch.setattr(gc, "set_threshold", lambda *numbers: told.append(numbers))
    GarbagePace().begin()
    assert told == [garbage.EVERY]
    young, portions, _ = garbage.EVERY
    assert young * portions <= 100_000


async def test_a_key_and_the_mouse_are_somebody_at_the_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    touched: list[int] = []
    app = SigscopeApp()
    async with app.run_test() as pilot:
        monkeypatch.setattr(app._garbage, "touch", lambda: touched.append(1))
        await pilot.press("j")
        after_key = len(touched)
        app.post_message(events.Resize(app.size, app.size))
        await pilot.pause()
        assert len(touched) == after_key > 0
        await pilot.hover(offset=(3, 3))
        assert len(touched) > after_key
