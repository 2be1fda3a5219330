"""The user's keys are taken from a file, and what is wrong with it is said."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Never

import pytest
from tests.tui.driving import MISSING, opened

from sigscope.tui import keymap
from sigscope.tui.debugger.upstream import ChosenUpstream
from sigscope.tui.json import JsonPane
from sigscope.tui.keymap import KeyMap, key_on, load_keys
from sigscope.tui.keynames import no_key
from sigscope.tui.keytable import FORMER, LIKE, commands
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.screens.upstream import UpstreamDialog

TUI = Path(keymap.__file__).parent
BY_ID = {command.id: command for command in commands()}


def read(tmp_path: Path, text: str) -> KeyMap:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    return load_keys(path)


def test_without_a_file_the_keys_are_as_shipped(tmp_path: Path) -> None:
    keys = load_keys(tmp_path / "none.toml")
    assert keys.overlay == {}
    assert keys.problems == ()
    assert keys.keys(BY_ID["send"]) == ("s",)


def test_a_command_gets_one_key_or_several(tmp_path: Path) -> None:
    keys = read(tmp_path, 'send = "f5"\n"list.down" = ["down", "ctrl+n"]\n')
    assert keys.problems == ()
    assert keys.keys(BY_ID["send"]) == ("f5",)
    assert keys.keys(BY_ID["list.down"]) == ("down", "ctrl+n")
    assert keys.overlay == {"send": "f5", "list.down": "down,ctrl+n"}


def test_tables_are_another_way_to_write_dotted_names(tmp_path: Path) -> None:
    keys = read(tmp_path, '[list]\ndown = "ctrl+n"\n[json]\ncopy = "c"\n')
    assert set(keys.changed) == {"list.down", "json.copy", "copy"}


@pytest.mark.parametrize("value", ['""', "[]", '" "'])
def test_a_command_can_lose_its_key(tmp_path: Path, value: str) -> None:
    keys = read(tmp_path, f"zoom = {value}\n")
    assert keys.keys(BY_ID["zoom"]) == ()
    assert keys.overlay["zoom"] == no_key("zoom")
    assert keys.problems == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('sned = "x"', "there is no command 'sned'; did you mean 'send'?"),
        ('qqqqq = "x"', "`sigscope keys` lists them all"),
        ('send = "crtl+x"', "send: 'crtl' in 'crtl+x' is none of ctrl, alt, shift"),
        ("send = 5", "send: 5 is neither a key in quotes nor a list"),
        ('send = ["a", 1]', "neither a key in quotes nor a list"),
        ('send = "ctrl+m"', "terminals send ctrl+m as enter"),
    ],
)
def test_a_bad_line_is_named_and_changes_nothing(
    tmp_path: Path, line: str, words: str
) -> None:
    keys = read(tmp_path, f'# mine\n{line}\nundo = "ctrl+z"\n')
    (problem,) = keys.problems
    assert problem.startswith(f"{tmp_path / 'keys.toml'}:2: ")
    assert words in problem
    assert keys.overlay == {"undo": "ctrl+z"}, "the good line counts"


def test_a_file_that_is_not_toml_leaves_the_keys_as_shipped(tmp_path: Path) -> None:
    keys = read(tmp_path, "send = \n")
    assert keys.overlay == {}
    assert "keys.toml:1: it is not TOML" in keys.problems[0]
    assert keys.problems[0].endswith("the keys are as shipped")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('zoom = "s"\n', "s is the key of both 'zoom' and 'send' (debugger);"),
        ('undo = "a"\nredo = "a"\n', "a is the key of both"),
        ('"json.toggle" = "s"\n', "s is the key of both 'json.toggle' (JSON pane: "),
        ('send = "slash"\n', "slash is the key of both"),
        ('"list.down" = "q"\n', "obeys it"),
    ],
)
def test_a_key_that_now_means_two_things_is_a_conflict(
    tmp_path: Path, text: str, words: str
) -> None:
    keys = read(tmp_path, text)
    assert any(words in problem for problem in keys.problems), keys.problems


@pytest.mark.parametrize(
    "text",
    [
        'undo = "ctrl+r"\nredo = "u"\n',
        'send = "f5"\nzoom = "s"\n',
        '"json.search" = "slash"\n',
        '"chat.fold" = "v"\n',
        '"json.down" = ["down", "j"]\n',
    ],
)
def test_keys_that_do_not_meet_are_no_conflict(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text).problems == ()


@pytest.mark.parametrize("name", ["list.down", "json.down"])
def test_down_is_remapped_once_and_by_its_old_name_too(
    tmp_path: Path, name: str
) -> None:
    keys = read(tmp_path, f'"{name}" = "ctrl+n"\n')
    assert keys.problems == ()
    assert keys.overlay == {"list.down": "ctrl+n"}


def test_the_name_of_now_counts_more_than_the_old_one(tmp_path: Path) -> None:
    keys = read(tmp_path, '"list.down" = "ctrl+n"\n"json.down" = "ctrl+j"\n')
    assert keys.overlay == {"list.down": "ctrl+n"}


def test_every_list_moves_by_the_same_commands() -> None:
    from sigscope.tui.itemlist import ItemList
    from sigscope.tui.json.rowview import RowView
    from sigscope.tui.rowlist import RowList

    assert BY_ID["list.down"].holder is RowList
    for kind in (ItemList, RowView):
        assert issubclass(kind, RowList)
    assert not [name for name in FORMER if name in BY_ID]


def test_what_several_screens_have_is_remapped_once(tmp_path: Path) -> None:
    keys = read(tmp_path, 'zoom = "f6"\nsearch = "f7"\n"list.choose" = "f9"\n')
    assert keys.problems == ()
    assert keys.keys(BY_ID["sessions.open"]) == ("f9",)
    assert keys.keys(BY_ID["stepping.zoom"]) == ("f6",)
    assert keys.keys(BY_ID["compare.search"]) == ("f7",)
    assert keys.keys(BY_ID["json.search"]) == ("f7",)


def test_a_line_of_its_own_counts_more_than_that_of_the_debugger(
    tmp_path: Path,
) -> None:
    keys = read(tmp_path, 'zoom = "f6"\n"stepping.zoom" = "f8"\n')
    assert keys.keys(BY_ID["stepping.zoom"]) == ("f8",)


def test_alike_commands_are_shipped_with_the_same_keys() -> None:
    for name, model in LIKE.items():
        assert BY_ID[name].keys == BY_ID[model].keys, name


async def test_what_is_said_names_the_keys_the_user_has() -> None:
    keys = KeyMap(changed={"fix": ("ctrl+y",), "send": (), "search": ("f6",)})
    async with opened(MISSING, size=(160, 44), keys=keys) as driver:
        assert "ctrl+y restore reasoning_opaque" in driver.text
        await driver.press("ctrl+y", "ctrl+y")
        assert any("the palette sends the request" in told for told in driver.told)
        await driver.press("n")
        asks = "nothing is searched for; f6 asks"
        assert any(asks in told for told in driver.told)
        assert key_on(driver.screen, "back") == "esc"
        assert key_on(driver.screen, "matrix.leave") == "q", "of another screen"


async def test_help_and_the_borders_of_dialogs_name_the_keys_the_user_has() -> None:
    keys = KeyMap(changed={"json.toggle": ("f7",), "dialog.close": ("f8",)})
    async with opened(MISSING, size=(120, 36), keys=keys) as driver:
        await driver.press("4", "question_mark")
        text = " ".join(driver.text.split())
        assert "f7 leaves it out" in text
        assert "f8 closes" in text
        assert "{json." not in text
        await driver.press("f8")
        assert "f8 closes" not in driver.text


async def test_enter_and_space_are_named_as_the_user_has_them() -> None:
    keys = KeyMap(
        changed={"list.choose": ("ctrl+o",), "dialog.take": ("ctrl+t",), "leave": ()}
    )
    async with opened(MISSING, size=(160, 44), keys=keys) as driver:
        await driver.press("f", "s")
        await driver.until(lambda: "ctrl+o shows it" in driver.text)
        await driver.press("6", "question_mark")
        assert "ctrl+o opens one like a step" in " ".join(driver.text.split())
        await driver.press("escape", "x")
        assert "ctrl+t writes" in driver.text
        await driver.press("escape")
        driver.app.push_screen(ChoiceDialog("Which", []))
        await driver.until(lambda: "ctrl+o chooses" in driver.text)
        driver.app.push_screen(UpstreamDialog(ChosenUpstream()))
        await driver.until(lambda: "ctrl+t takes it" in driver.text)


NAMES_NO_COMMAND = {
    "bodysearch/screen.py": "the line that is typed into takes enter, and no other",
    "screens/question.py": "a button takes enter, and no other",
    "screens/explanation.py": "Textual's tab goes from field to field",
    "stepthrough/stops.py": "Textual's tab goes from field to field",
    "json/panekeys.py": "tabs of the pane",
    "debugger/layout.py": "tabs of the pane",
    "json/eventlist.py": "a unit",
    "json/copies.py": "the second key of a chord",
    "timeline/bars.py": "a unit",
    "keynames.py": "how keys are written",
    "screens/forkdialog.py": "an option of a command line",
    "picture.py": "groups of a pattern",
}
"""Texts that look as if they named a key of a command."""


def test_no_text_names_the_key_of_a_command_as_it_is_shipped() -> None:
    key = re.compile(
        r"(?<![\w'{.+/-])(enter|space|tab|esc|[b-zB-HJ-Z])(?![\w'}=.:/(+-])", re.A
    )
    found = set()
    for path in sorted(TUI.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                node.value.value = ""  # a docstring
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if " " in text.strip() and "{ " not in text and key.search(text):
                    found.add(path.relative_to(TUI).as_posix())
    assert found - set(NAMES_NO_COMMAND) == set(), 'ask key_on, or write "{its.id}"'
    assert set(NAMES_NO_COMMAND) - found == set()


async def test_a_dialog_without_a_key_to_close_it_says_none() -> None:
    keys = KeyMap(changed={"dialog.close": ()})
    async with opened(MISSING, size=(120, 36), keys=keys) as driver:
        await driver.press("x")
        await driver.until(lambda: "enter writes" in driver.text)
        assert "closes" not in driver.text


async def test_a_key_of_its_own_is_named_without_the_table_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def imports_every_screen() -> Never:
        raise AssertionError("a first paint would wait for it")

    monkeypatch.setattr(keymap, "commands", imports_every_screen)
    async with opened(MISSING) as driver:
        pane = driver.screen.query_one(JsonPane)
        assert key_on(pane, "json.quiet") == "esc"
