"""The application takes settings, keys and themes from files, and starts whatever is
wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.tui.stillness import workers_ended
from tests.tui.story import story_document
from textual.pilot import Pilot
from textual.widgets import Static

from sigscope import extensions
from sigscope.engine.settings.places import shipped
from sigscope.engine.settings.sources import load_settings
from sigscope.tui import hint
from sigscope.tui.app import SigscopeApp
from sigscope.tui.commands import KeyCommands
from sigscope.tui.itemlist import ItemList
from sigscope.tui.lines import plain
from sigscope.tui.memory import Memory
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.help import HelpScreen, sections_of
from sigscope.tui.screens.lineinput import LineDialog
from sigscope.tui.screens.sessions import SessionsScreen
from sigscope.tui.screens.themes import ThemeDialog, ThemeList

SIZE = (120, 36)
PASSWORD = "Tr0ub4dor7xQ9zK8q"


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs start in the folder that has all of the user's."""
    (tmp_path / "config" / "themes").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)


def write(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / "config" / name
    path.write_text(text)
    return path


def told(app: SigscopeApp) -> list[str]:
    """What was said in notices."""
    return [f"{note.title}: {note.message}" for note in app.notices.told]


def text_of(listed: ItemList) -> str:
    lines = (line for item in listed.items for line in item.lines(listed.text_cells))
    return "\n".join(map(plain, lines))


def seen(tmp_path: Path) -> None:
    """The hint has been given already."""
    Memory().has_hinted = True


async def settled(pilot: Pilot[int]) -> None:
    """Wait until what is looked after behind the first screen has been told."""
    await pilot.pause()
    await workers_ended(pilot.app)
    await pilot.pause()


# --- The first start -----------------------------------------------------------------


async def test_the_first_start_gives_three_lines_of_advice_and_no_later_one() -> None:
    app = SigscopeApp()
    async with app.run_test(notifications=True, size=SIZE) as pilot:
        await settled(pilot)
        (advice,) = [text for text in told(app) if text.startswith(hint.TITLE)]
        lines = advice.removeprefix(f"{hint.TITLE}: ").split("\n")
        assert len(lines) == 3
        assert max(map(len, lines)) <= 54, "a notice would wrap them"
    again = SigscopeApp()
    async with again.run_test(notifications=True, size=SIZE) as pilot:
        await settled(pilot)
        assert told(again) == []


async def test_the_advice_names_the_keys_the_user_has(tmp_path: Path) -> None:
    write(tmp_path, "keys.toml", 'send = "f5"\n"json.toggle" = ""\n')
    app = SigscopeApp()
    async with app.run_test(notifications=True, size=SIZE) as pilot:
        await settled(pilot)
        (advice,) = told(app)
        assert "f5 sends" in advice
        assert "the palette switches a JSON field" in advice


async def test_the_advice_can_be_switched_off() -> None:
    settings = load_settings(environ={"SIGSCOPE_HINT": "0"})
    app = SigscopeApp(settings=settings)
    async with app.run_test(notifications=True, size=SIZE) as pilot:
        await settled(pilot)
        assert told(app) == []


# --- Files that are wrong ------------------------------------------------------------


async def test_the_app_starts_with_every_file_broken_and_says_so(
    tmp_path: Path,
) -> None:
    seen(tmp_path)
    write(tmp_path, "config.toml", "theme = \n")
    write(tmp_path, "keys.toml", 'sned = "x"\n')
    write(tmp_path, "themes/bad.toml", 'primary = "#12"\n')
    app = SigscopeApp()
    async with app.run_test(notifications=True, size=SIZE):
        assert isinstance(app.screen, SessionsScreen)
        notices = told(app)
    assert any("config.toml:1: it is not TOML" in text for text in notices)
    assert any("keys.toml:1: there is no command 'sned'" in text for text in notices)
    assert any("bad.toml:1: '#12' for 'primary'" in text for text in notices)


async def test_an_extension_that_is_left_out_is_told_once_and_stands_in_the_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen(tmp_path)
    broken = extensions.Extension(
        group="rules", name="acme", value="acme:RULES", distribution="acme-1.2"
    )
    app = SigscopeApp()
    async with app.run_test(notifications=True, size=SIZE) as pilot:
        app.look_at_extensions()
        assert told(app) == []
        why = f"ImportError: no acme DB_PASSWORD={PASSWORD}"
        monkeypatch.setitem(extensions._faults, broken, why)
        app.look_at_extensions()
        app.look_at_extensions()
        await settled(pilot)
        (notice,) = told(app)
        assert "sigscope.rules acme (acme-1.2) is left out" in notice
        assert "no acme" in notice
        assert PASSWORD not in notice
        await pilot.press("question_mark")
        await pilot.pause()
        shown = text_of(app.screen.query_one(ItemList))
        assert "is left out: ImportError: no acme" in " ".join(shown.split())
        assert PASSWORD not in shown


async def test_a_theme_that_is_not_there_leaves_the_shipped_one(
    tmp_path: Path,
) -> None:
    seen(tmp_path)
    write(tmp_path, "config.toml", 'theme = "nowhere"\n')
    app = SigscopeApp()
    async with app.run_test(notifications=True, size=SIZE):
        assert app.theme == "sigscope-dark"
        assert "there is no theme 'nowhere'" in told(app)[0]


# --- Keys ----------------------------------------------------------------------------


async def test_a_key_of_the_users_works_and_the_shipped_one_does_not(
    tmp_path: Path,
) -> None:
    write(tmp_path, "keys.toml", '"sessions.open-file" = "f7"\n')
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        assert isinstance(app.screen, SessionsScreen)
        await pilot.press("f7")
        await pilot.pause()
        assert isinstance(app.screen, LineDialog)


async def test_two_keys_can_be_exchanged(tmp_path: Path) -> None:
    write(
        tmp_path,
        "keys.toml",
        '"sessions.open-file" = "r"\n"sessions.reload" = "o"\n',
    )
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        await pilot.pause()
        assert isinstance(app.screen, LineDialog)


async def test_help_and_palette_show_the_keys_the_user_has(tmp_path: Path) -> None:
    write(
        tmp_path,
        "keys.toml",
        '"sessions.open-file" = ["f7", "f8"]\n"sessions.reload" = ""\n',
    )
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        keys = {
            key.words: key.keys
            for section in sections_of(app.screen)
            for key in section.keys
        }
        assert keys["Open any recording by its path"] == "f7 f8"
        assert keys["Read the list again"] == ""
        found = {c.words: c.key for c in KeyCommands(app.screen)._commands()}
        assert found["Open any recording by its path"] == "f7"
        assert found["Read the list again"] == "", "without a key, still a command"
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)


async def test_a_command_without_a_key_has_no_place_in_the_key_line(
    tmp_path: Path,
) -> None:
    from sigscope.tui.lines import plain
    from sigscope.tui.panes.keyline import KeyLine

    text = '"sessions.reload" = ""\n"app.palette" = "f6"\n'
    write(tmp_path, "keys.toml", text)
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        words = plain(app.screen.query_one(KeyLine).spans(100))
    assert "Open file" in words
    assert "Reload" not in words
    assert words.endswith("f6 palette")


# --- Themes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "environ", "config", "remembered", "expected"),
    [
        ({"theme": "ember"}, {"SIGSCOPE_THEME": "fjord"}, "", "", "ember"),
        ({}, {"SIGSCOPE_THEME": "fjord"}, 'theme = "ember"', "", "fjord"),
        ({}, {}, 'theme = "ember"', "fjord", "ember"),
        ({}, {}, "", "fjord", "fjord"),
        ({}, {}, "", "", "sigscope-dark"),
    ],
)
def test_the_theme_comes_from_the_settings_then_from_memory(
    tmp_path: Path,
    flags: Mapping[str, str],
    environ: Mapping[str, str],
    config: str,
    remembered: str,
    expected: str,
) -> None:
    write(tmp_path, "config.toml", config)
    if remembered:
        Memory().theme = remembered
    app = SigscopeApp(settings=load_settings(flags, environ=environ))
    assert app._theme_name() == expected


async def _themes(pilot: Pilot[int]) -> ThemeList:
    app = pilot.app
    app.search_themes()
    await pilot.pause()
    assert isinstance(app.screen, ThemeDialog)
    return app.screen.query_one(ThemeList)


async def test_the_theme_under_the_cursor_is_on_and_enter_keeps_it() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        listed = await _themes(pilot)
        assert listed.key == "sigscope-dark"
        listed.select("ember")
        await pilot.press("down")
        assert app.theme == listed.key == "fjord"
        assert Memory().theme == "", "looking at one is not choosing it"
        await pilot.press("enter")
        await pilot.pause()
        assert app.theme == "fjord"
        assert isinstance(app.screen, SessionsScreen)
    assert Memory().theme == "fjord"


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_leaving_the_list_puts_the_old_theme_on_again(key: str) -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        await _themes(pilot)
        await pilot.press("down")
        assert app.theme != "sigscope-dark"
        await pilot.press(key)
        await pilot.pause()
        assert app.theme == "sigscope-dark"
    assert Memory().theme == ""


async def test_a_choice_that_the_settings_overrule_is_told(tmp_path: Path) -> None:
    seen(tmp_path)
    path = write(tmp_path, "config.toml", 'theme = "ember"\n')
    app = SigscopeApp()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await _themes(pilot)
        await pilot.press("down", "enter")
        await pilot.pause()
        (notice,) = told(app)
        assert f"{path}:1 sets another one" in notice


async def test_a_theme_file_is_put_on_again_when_it_is_saved(tmp_path: Path) -> None:
    seen(tmp_path)
    path = write(tmp_path, "themes/mine.toml", 'primary = "#102030"\n')
    Memory().theme = "mine"
    app = SigscopeApp()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        assert app.theme_variables["primary"] == "#102030"

        path.write_text('primary = "#405060" # saved\n')
        app.look_at_themes()
        await pilot.pause()
        assert app.theme_variables["primary"] == "#405060"
        assert app.screen.get_visual_style is not None

        path.write_text('primary = "#4050"60\n')
        app.look_at_themes()
        await pilot.pause()
        assert app.theme_variables["primary"] == "#405060", "the last good one stays"
        assert "mine.toml:1" in told(app)[-1]


async def test_a_new_theme_file_appears_in_the_open_list(tmp_path: Path) -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        listed = await _themes(pilot)
        count = len(listed.items)
        write(tmp_path, "themes/mine.toml", 'primary = "#102030"\n')
        app.look_at_themes()
        await pilot.pause()
        assert len(listed.items) == count + 1
        assert listed.items[-1].key == "mine"
        assert listed.key == "sigscope-dark", "the cursor stays"


async def test_every_theme_can_be_put_on() -> None:
    first, *others = sorted(path.stem for path in shipped("themes").glob("*"))
    app = SigscopeApp(settings=load_settings({"theme": first}, environ={}))
    async with app.run_test(size=SIZE) as pilot:
        app.visits.show(story_document())
        await pilot.pause()
        assert app.theme == first
        seen = [list(_segments(app))]
        for name in others:
            app.theme = name
            await pilot.pause()
            assert list(_segments(app)) not in seen, name
            seen.append(list(_segments(app)))


async def test_an_ansi_theme_of_the_users_needs_no_more_than_any_other(
    tmp_path: Path,
) -> None:
    write(tmp_path, "themes/a.toml", 'ansi = true\nprimary = "ansi_red"\n')
    app = SigscopeApp(settings=load_settings({"theme": "a"}, environ={}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.theme == "a"


async def test_without_colour_nothing_on_the_screen_has_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        app.visits.show(story_document())
        await workers_ended(app)
        await pilot.pause()
        assert app.theme == "ansi-16"
        assert list(_colours(app)) == []
        assert _has_reverse(app), "the row under the cursor still stands out"


async def test_with_colour_there_are_some() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert list(_colours(app))


def _segments(app: SigscopeApp) -> Iterator[object]:
    ground = app.screen.background_colors[1]
    for strip in app.screen._compositor.render_strips():
        for line_filter in app._filters:
            if line_filter.enabled:
                strip = strip.apply_filter(line_filter, ground)
        yield from strip


def _colours(app: SigscopeApp) -> Iterator[str]:
    for segment in _segments(app):
        style = segment.style  # type: ignore[attr-defined]
        for colour in (style.color, style.bgcolor) if style else ():
            if colour is not None and not colour.is_default:
                yield colour.name


def _has_reverse(app: SigscopeApp) -> bool:
    return any(
        segment.style and segment.style.reverse  # type: ignore[attr-defined]
        for segment in _segments(app)
    )


# --- Symbols and upstream ------------------------------------------------------------


async def test_ascii_is_a_setting(tmp_path: Path) -> None:
    write(tmp_path, "config.toml", "ascii = true\n")
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        app.visits.show(story_document())
        await workers_ended(app)
        await pilot.pause()
        assert app.symbols.ascii
        text = "".join(segment.text for segment in _segments(app))
    assert "Steps" in text
    assert [char for char in text if ord(char) > 126] == []


async def test_the_debugger_sends_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '[send]\nto = "http://127.0.0.1:9"\nkey_env = "MY_KEY"\nretries = 0\n'
    write(tmp_path, "config.toml", f"{text}timeout = 7\n")
    monkeypatch.setenv("MY_KEY", "k")
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        app.visits.show(story_document())
        await pilot.pause()
        assert isinstance(app.screen, DebuggerScreen)
        target = app.screen.model.upstream.target()
        assert target.url == "http://127.0.0.1:9"
        assert (target.key, target.retries, target.timeout) == ("k", 0, 7)
        assert app.screen.query(Static)


# --- Being left -----------------------------------------------------------------------


async def test_what_fails_while_it_is_taken_down_is_not_its_exit_code() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE):
        app.exit(return_code=143)
        app._handle_exception(LookupError("a thread came too late: no panes any more"))
    assert app.return_code == 143
