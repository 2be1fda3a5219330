"""Keys are understood as people write them."""

from __future__ import annotations

import pytest

from sigscope.tui.keynames import KeyProblem, displayed, no_key, read_key, read_keys
from sigscope.tui.keytable import commands


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("x", "x"),
        ("G", "G"),
        ("?", "question_mark"),
        ("question_mark", "question_mark"),
        ("/", "slash"),
        ("{", "left_curly_bracket"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("Ctrl+X", "ctrl+x"),
        ("shift+ctrl+left", "ctrl+shift+left"),
        ("shift+g", "G"),
        ("F5", "f5"),
        ("esc", "escape"),
        ("PgDn", "pagedown"),
        ("alt+enter", "alt+enter"),
        ("ö", "ö"),
    ],
)
def test_a_key_has_one_name_however_it_is_written(text: str, key: str) -> None:
    assert read_key(text) == key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("crtl+x", "'crtl' in 'crtl+x' is none of ctrl, alt, shift"),
        ("foo", "there is no key 'foo'"),
        ("f99", "there is no key 'f99'"),
        ("ctrl+i", "terminals send ctrl+i as tab"),
        ("ctrl+M", "terminals send ctrl+m as enter"),
        ("", "a comma too many"),
    ],
)
def test_a_key_that_never_arrives_is_refused_with_the_reason(
    text: str, words: str
) -> None:
    with pytest.raises(KeyProblem, match=words.replace("+", r"\+")):
        read_key(text)


def test_several_keys_are_separated_by_commas() -> None:
    assert read_keys("down, j,down") == ("down", "j")
    assert read_keys("comma") == ("comma",)
    assert read_keys(" ") == ()
    with pytest.raises(KeyProblem, match="comma"):
        read_keys("a,,b")


def test_every_key_we_ship_is_one_that_arrives() -> None:
    for command in commands():
        assert read_keys(",".join(command.keys)) == command.keys, command.id


def test_a_key_is_shown_as_it_can_be_written() -> None:
    for command in commands():
        for key in command.keys:
            assert read_key(displayed(key)) == key
    assert displayed("question_mark") == "?"
    assert displayed("ctrl+slash") == "ctrl+/"
    assert displayed(no_key("zoom")) == ""
