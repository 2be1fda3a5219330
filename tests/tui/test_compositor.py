"""Only what changed is rendered, and it looks the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from tests.tui.driving import MISSING, opened
from tests.tui.stepthrough.harness import Harness, bundled
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual._styles_cache import StylesCache
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

from sigscope.tui.compositor import SparingCompositor, _around
from sigscope.tui.lineview import LineView
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import HeaderLine
from sigscope.tui.stepthrough.screen import StepScreen


def test_a_textual_that_keeps_what_changed_elsewhere_paints_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compositor = SparingCompositor()
    del compositor._dirty_regions
    monkeypatch.setattr(Compositor, "render_partial_update", lambda _: "all of it")
    assert compositor.render_partial_update() == "all of it"


def drawn(output: str) -> str:
    """Without moves of the cursor after which nothing is written."""
    return re.sub(r"(\x1b\[\d+;\d+H)+(?=\s*(\x1b\[\d+;\d+H|\Z))", "", output)


def repainted(
    compositor: Compositor, screen: Screen[Any], changed: Iterable[Region]
) -> ChopsUpdate:
    """What it paints of a screen where these changed."""
    compositor.reflow(screen, screen.size)
    compositor._dirty_regions = set(changed)
    update = compositor.render_update()
    assert isinstance(update, ChopsUpdate)
    return update


async def test_what_lies_behind_what_changed_is_not_rendered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered: list[Widget] = []
    render = StylesCache.render_widget

    def note(cache: StylesCache, widget: Widget, crop: Region) -> object:
        rendered.append(widget)
        return render(cache, widget, crop)

    screen = StepScreen(bundled(MISSING), event=3)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert isinstance(screen._compositor, SparingCompositor)
        panes = (screen.raw, screen.message_list, screen.client)
        monkeypatch.setattr(StylesCache, "render_widget", note)
        for changed in ([each.region for each in panes], [Region(30, 8, 50, 9)]):
            painted = {}
            for kind in (Compositor, SparingCompositor):
                rendered.clear()
                update = repainted(kind(), screen, changed)
                painted[kind] = drawn(update.render_segments(pilot.app.console))
                if len(changed) == len(panes):
                    has_behind = screen in rendered
                    assert has_behind is (kind is Compositor)
                    assert set(panes) <= set(rendered)
            assert painted[Compositor] == painted[SparingCompositor] != ""


async def test_header_and_lowest_line_are_painted_without_the_panes_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered: list[LineView] = []
    render = LineView.render_lines

    def note(view: LineView, crop: Region) -> object:
        rendered.append(view)
        return render(view, crop)

    async with opened(MISSING, size=(120, 36)) as driver:
        _ = driver.text  # all is painted
        screen = driver.screen
        header, lowest = screen.query_one(HeaderLine), screen.query_one(KeyLine)
        corner = Region(screen.board.json.region.x - 3, 9, 7, 4)
        monkeypatch.setattr(LineView, "render_lines", note)
        for changed in ({header.region, lowest.region}, {corner, lowest.region}):
            painted, seen = {}, {}
            for kind in (Compositor, SparingCompositor):
                rendered.clear()
                update = repainted(kind(), screen, changed)
                painted[kind] = update.render_segments(driver.app.console)
                seen[kind] = set(rendered)
            assert painted[Compositor] == painted[SparingCompositor] != ""
            assert screen.board.chat in seen[Compositor]
            assert screen.board.steps not in seen[SparingCompositor]
            assert lowest in seen[SparingCompositor]
        assert isinstance(screen._compositor, SparingCompositor)


async def test_what_its_contents_fill_is_not_rendered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered: list[Widget] = []
    render = StylesCache.render_widget

    def note(cache: StylesCache, widget: Widget, crop: Region) -> object:
        rendered.append(widget)
        return render(cache, widget, crop)

    async with opened(MISSING, size=(120, 36)) as driver:
        _ = driver.text
        screen = driver.screen
        monkeypatch.setattr(StylesCache, "render_widget", note)
        painted, seen = {}, {}
        for kind in (Compositor, SparingCompositor):
            compositor = kind()
            compositor.reflow(screen, screen.size)
            rendered.clear()
            update = compositor.render_update(full=True)
            assert isinstance(update, LayoutUpdate)
            painted[kind] = update.render_segments(driver.app.console)
            seen[kind] = set(rendered)
        assert painted[Compositor] == painted[SparingCompositor] != ""
        boxes = {screen, *screen.query("#body, #left, #lower")}
        assert boxes <= seen[Compositor]
        assert not boxes & seen[SparingCompositor]
        assert screen.board.chat in seen[SparingCompositor]


def test_what_is_left_of_a_region_around_another_one() -> None:
    region = Region(2, 3, 10, 8)
    for hole in (
        Region(4, 5, 3, 2), Region(0, 0, 40, 40), Region(2, 3, 10, 1),
        Region(0, 5, 5, 1), Region(30, 1, 4, 4), Region(8, 8, 9, 9),
    ):  # fmt: skip
        left = [cell for part in _around(region, hole) for cell in cells(part)]
        assert sorted(left) == sorted({*cells(region)} - {*cells(hole)})


def cells(region: Region) -> list[tuple[int, int]]:
    return [(x, y) for y in region.line_range for x in region.column_range]
