"""The palette: what it lists, in which words, in which order."""

from __future__ import annotations

import pytest
from tests.patience import until
from tests.tui.contrast import faint_on_screen
from tests.tui.driving import EMPTY_LIST, opened
from textual.binding import Binding
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.widgets import Checkbox, Input, OptionList

from sigscope.tui.app import SigscopeApp
from sigscope.tui.commands import KeyPalette, is_move, title_of
from sigscope.tui.keytable import _holders, commands
from sigscope.tui.screens.exportdialog import ExportDialog
from sigscope.tui.timeline.screen import TimelineScreen


async def test_without_colour_the_chosen_row_is_underlined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(EMPTY_LIST) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.reads("Send the request on show")
        await driver.pilot.press("down")
        await driver.pilot.pause()
        listed = driver.app.screen.query_one(OptionList)
        chosen = listed.highlighted
        underlined = set()
        for y in range(listed.size.height):
            strip = listed.render_line(y)
            if any(s.style and s.style.underline for s in strip if s.text.strip()):
                underlined.add(listed._lines[y + listed.scroll_offset.y][0])
        assert underlined == {chosen}


async def test_the_palette_can_be_read_in_the_dark_and_in_the_light() -> None:
    """What is to be typed, what is typed and marked, and the chosen command with its
    key and its sentence."""
    app = SigscopeApp()
    async with app.run_test(size=(100, 30)) as pilot:
        for name in ("sigscope-dark", "sigscope-light"):
            app.theme = name
            await pilot.press("ctrl+p")
            await until(lambda: app.screen.query_one(OptionList).options)
            await pilot.press("down")
            field, listed = (
                app.screen.query_one(Input),
                app.screen.query_one(OptionList),
            )
            for part in (field, listed):
                assert list(faint_on_screen(app, part.region)) == [], name
            await pilot.press("e", "shift+home")
            assert not field.selection.is_empty
            assert list(faint_on_screen(app, field.region)) == [], name
            await pilot.press("escape")


async def test_the_palette_has_no_keys_that_only_move_and_ends_with_quit() -> None:
    async with opened(EMPTY_LIST) as driver:
        for pane in "134":
            await driver.pilot.press(pane, "ctrl+p")
            await driver.reads("Send the request on show")
            options = driver.app.screen.query_one(OptionList).options
            listed = "\n".join(str(option.prompt) for option in options)
            for words in ("Next row", "Half a page", "Next pane", "Go to Chat",
                          "Previous step", "Next event", "Every command"):  # fmt: skip
                assert words not in listed, (pane, words)
            assert str(options[-1].prompt).split()[:2] == ["Quit", "^q"], pane
            await driver.press("escape")


FOUND_BY = {
    "bisect": "Bisect",
    "compare": "Compare",
    "redact": "Redact",
    "export": "Export",
    "send": "Send",
    "apply fix": "Fix",
    "take back": "Revert",
    "search": "Search",
    "search the pane": "Search",
    "search all": "Bodies",
    "step through": "Stepping",
    "simulator or a live": "Upstream",
    "overview": "Overview",
    "steps at a glance": "Overview",
    "anomaly": "Anomaly",
    "anomaly before": "Previous",
}


async def test_a_command_is_found_by_title_footer_or_sentence() -> None:
    async with opened(EMPTY_LIST) as driver:

        def first() -> str:
            listed = driver.app.screen.query_one(OptionList)
            if not listed.option_count:
                return ""
            return str(listed.get_option_at_index(0).prompt).split()[0]

        for typed, title in FOUND_BY.items():
            await driver.pilot.press("ctrl+p")
            driver.app.screen.query_one(Input).value = typed
            await driver.until(lambda title=title: first() == title, typed)  # type: ignore[misc]
            await driver.press("escape")


async def test_redact_opens_the_export_with_stand_ins_ticked() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.type("redact")
        await driver.until(lambda: "Write a copy to share" in driver.text)
        await driver.pilot.press("down", "enter")
        await driver.until(lambda: isinstance(driver.app.screen, ExportDialog))
        assert driver.app.screen.query_one("#masked", Checkbox).value
        assert not driver.app.screen.query_one("#content", Checkbox).value


def test_every_command_that_does_something_has_one_word_for_a_title() -> None:
    commands()  # imports all that has keys
    named = {}
    for holder in _holders(DOMNode):
        for binding in Binding.make_bindings(holder.__dict__["BINDINGS"]):
            if binding.id and not is_move(binding.id):
                named[binding.id] = title_of(binding.id, binding.description)
    assert len(named) > 60
    long = {name: title for name, title in named.items() if len(title.split()) != 1}
    assert not long, "give it one word in sigscope.tui.commands.TITLES"


async def test_fading_opens_the_turns_at_the_first_of_the_change() -> None:
    async with opened("zoo-litellm-dummy", size=(120, 40)) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.type("fading")
        await driver.reads("from which readable reasoning fades")
        await driver.pilot.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, TimelineScreen))
        screen = driver.app.screen
        assert isinstance(screen, TimelineScreen)
        await driver.until(lambda: screen.turns_list.step in (5, 6), "turn 3")
        assert screen.turns_list.has_focus
        told = [notice.message for notice in driver.app._notifications]
        assert any("from turn 3 (step 6) on" in each for each in told)


async def test_fading_says_so_where_nothing_fades() -> None:
    async with opened("zoo-litellm-per-call-echo", size=(120, 40)) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.type("fading")
        await driver.reads("from which readable reasoning fades")
        await driver.pilot.press("enter")
        await driver.reads("readable reasoning does not fade in this recording")
        assert not isinstance(driver.app.screen, TimelineScreen)


async def test_a_page_of_a_palette_without_room_is_no_fault() -> None:
    """Textual's own list fails there."""
    async with opened(EMPTY_LIST) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.until(lambda: isinstance(driver.app.screen, CommandPalette))
        await driver.pilot.resize_terminal(1, 1)
        await driver.pilot.press("pagedown", "pageup")
        assert not any("fault" in told for told in driver.told)
        await driver.pilot.press("escape")
        await driver.resize((120, 36))
        assert "1 Steps" in driver.text
        KeyPalette()._action_command_list("page_down")  # as while it goes
