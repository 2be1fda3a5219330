"""Rows that are much the same as before: only those that differ are painted."""

from __future__ import annotations

from random import Random

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region

from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.json.rowview import RowView
from sigscope.tui.lines import Line, Span


class Words(list[str]):
    """A word for each row."""

    @property
    def row_count(self) -> int:
        return len(self)

    def line(self, row: int, room: RowRoom) -> Line:
        return (Span(self[row]),)


class WordView(RowView):
    def __init__(self) -> None:
        self.words = Words()
        super().__init__(self.words)
        self.painted: list[Region] = []

    def show(self, words: list[str], cursor: int = 0) -> None:
        with self.alike():
            self.words[:] = words
            self.set_reactive(RowView.cursor, cursor)
            self.refresh_rows()

    def _set_dirty(self, *regions: Region) -> None:
        self.painted += regions or [Region()]
        super()._set_dirty(*regions)


class Harness(App[None]):
    def compose(self) -> ComposeResult:
        yield WordView()

    def look(self) -> list[str]:
        """What the terminal shows, without the scroll bar."""
        strips = self.screen._compositor.render_strips()
        return ["".join(s.text for s in strip)[:9].strip() for strip in strips]


async def test_only_rows_that_differ_are_painted() -> None:
    app = Harness()
    async with app.run_test(size=(20, 6)) as pilot:
        words = app.query_one(WordView)
        words.show(["a", "b", "c", "d"])
        await pilot.pause()
        assert app.look()[:4] == ["a", "b", "c", "d"]
        words.painted.clear()
        words.show(["a", "x", "c"])
        assert {region.y for region in words.painted} == {0, 1, 3}
        await pilot.pause()
        assert app.look()[:4] == ["a", "x", "c", ""]


@pytest.mark.parametrize("seed", range(8))
async def test_what_is_seen_is_what_is_shown(seed: int) -> None:
    random = Random(seed)
    app = Harness()
    async with app.run_test(size=(20, 6)) as pilot:
        words = app.query_one(WordView)
        for _ in range(12):
            shown = random.choices("ab", k=random.randrange(12))
            words.show(shown, random.randrange(max(1, len(shown))))
            words.show_cursor()
            if random.random() < 0.6:
                await pilot.pause()
        await pilot.pause()
        top = words.scroll_offset.y
        assert app.look() == [*words.words[top : top + 6], *[""] * 6][:6]
