from __future__ import annotations

import pytest

from sigscope.edits.notation import parse
from sigscope.edits.records import Edit, Op
from sigscope.edits.words import describe, shortened


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("set /messages/2/content null", "set /messages/2/content to null"),
        ("drop /a", "drop /a"),
        ('set "" 1', "set the whole body to 1"),
        ("insert /a/0 {}", "insert {} at /a/0"),
        ("insert /a/- {}", "append {} to /a"),
        ("insert /- {}", "append {} to the whole body"),
        ("move /a /b", "move /a to /b"),
        ("copy /a /b", "copy /a to /b"),
        ("header Accept: */*", "set header Accept to */*"),
        (
            "header Authorization: Bearer x",
            "set header Authorization to (8 characters)",
        ),
        ("header x-api-key: abc", "set header x-api-key to (3 characters)"),
        ("unheader Accept", "remove header Accept"),
        ("url http://a", "send to http://a"),
    ],
)
def test_edits_are_said_in_words(line: str, words: str) -> None:
    assert describe(parse(line)) == words


def test_a_long_value_is_cut() -> None:
    edit = Edit(op=Op.SET, pointer="/a", value='"' + "x" * 1464 + '"')
    assert describe(edit) == 'set /a to "' + "x" * 59 + "... (1,464 characters)"


def test_nothing_a_terminal_would_obey_is_left() -> None:
    assert shortened("a\x1b[31m\n\u202e") == "a\\x1b[31m\\n\\u202e"
    edit = Edit(op=Op.MOVE, source="/\x1b", pointer="/\x07")
    assert describe(edit) == "move /\\x1b to /\\x07"
