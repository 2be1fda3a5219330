"""Rules are parsed once, and in the colours that are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.color import Color
from textual.containers import VerticalScroll
from textual.css.stylesheet import Stylesheet, StylesheetParseError
from textual.widgets import Static

from sigscope.tui.stylesheet import KeptStylesheet


def _sheet(ink: str, css: str = "Static { color: $ink; }") -> KeptStylesheet:
    sheet = KeptStylesheet(variables={"ink": ink})
    sheet.add_source(css, read_from=("a.tcss", ""))
    return sheet


def test_rules_are_kept_beyond_the_sheet_that_parsed_them() -> None:
    first, second = _sheet("#101112").rules, _sheet("#101112").rules
    assert first
    assert first[0] is second[0]


def test_other_colours_make_other_rules() -> None:
    sheet = _sheet("#101112")
    before = sheet.css
    sheet.set_variables({"ink": "#202122"})
    sheet.reparse()
    assert "#202122" in sheet.css.lower()
    assert sheet.css != before


def test_a_source_that_is_new_is_parsed_with_the_others() -> None:
    sheet = _sheet("#101112")
    sheet.parse()
    sheet.add_source("Label { color: red; }", read_from=("b.tcss", ""))
    sheet.reparse()
    assert len(sheet.rules) == 2


def test_a_source_that_is_wrong_leaves_the_rules_as_they_were(tmp_path: Path) -> None:
    sheet = _sheet("#101112")
    before = list(sheet.rules)
    sheet.add_source("Static { colour: 1; }", read_from=("wrong.tcss", ""))
    with pytest.raises(StylesheetParseError):
        sheet.reparse()
    with pytest.raises(StylesheetParseError):  # and is wrong when it is asked again
        sheet.reparse()
    assert sheet._rules == before


@pytest.mark.parametrize("theme", ["sigscope-dark", "sigscope-light"])
async def test_nothing_is_parsed_in_colours_that_are_not_shown(
    theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sigscope.tui.app import SigscopeApp

    seen: set[str] = set()
    parse = Stylesheet._parse_rules

    def note(self: Stylesheet, *given: Any) -> Any:
        seen.add(self._variables["background"])
        return parse(self, *given)

    monkeypatch.setattr(Stylesheet, "_parse_rules", note)
    monkeypatch.setattr("sigscope.tui.stylesheet._kept", {})
    app = SigscopeApp(theme=theme)
    async with app.run_test():
        assert seen == {_background(app)}


def _background(app: App[Any]) -> str:
    return app.get_css_variables()["background"]


class Scrolled(App[None]):
    CSS = """
    VerticalScroll { border: round red; scrollbar-color: green; overflow-y: scroll; }
    VerticalScroll:focus { border: round blue; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.stylesheet = KeptStylesheet(variables=self.get_css_variables())

    def compose(self) -> ComposeResult:
        yield VerticalScroll()


async def test_a_scroll_bar_that_looks_as_before_is_not_painted_with_the_focus() -> (
    None
):
    async with Scrolled().run_test() as pilot:
        await pilot.pause()
        shown = pilot.app.query_one(VerticalScroll)
        pilot.app.set_focus(None)
        await pilot.pause()
        pilot.app.screen._compositor.render_strips()
        bar = shown.vertical_scrollbar
        bar._repaint_regions.clear()
        shown._repaint_regions.clear()
        before = shown.styles.border_top
        shown.focus()
        await pilot.pause()
        assert shown.styles.border_top != before
        assert not bar._dirty_regions
        assert not bar._styles_cache._dirty_lines


def test_a_rule_that_is_no_more_is_taken_away() -> None:
    node = Static()
    green, red = Color.parse("green"), Color.parse("red")
    KeptStylesheet.replace_rules(node, {"color": green, "text_align": "center"})
    KeptStylesheet.replace_rules(node, {"color": red})
    assert node.styles.base.get_rules() == {"color": red}
