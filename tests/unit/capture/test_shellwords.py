"""Words of command lines."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.capture.shellwords import split, without_carets


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a b  c", ["a", "b", "c"]),
        ("'a b' c", ["a b", "c"]),
        ('"a b" "c\\"d" "e\\f"', ["a b", 'c"d', "e\\f"]),
        ("a'b'\"c\"d", ["abcd"]),
        ("'it'\\''s'", ["it's"]),
        ("'' x", ["", "x"]),
        (
            r"$'it\'s\n\ttab \x41\u00e9\U0001f600\101\\'",
            ["it's\n\ttab A\u00e9\U0001f600A\\"],
        ),
        (r"$'\xff'", ["\udcff"]),
        ("a \\\n  b \\\r\n c", ["a", "b", "c"]),
        ("a `\n b", ["a", "b"]),
        ("a\\ b", ["a b"]),
        ("a ; b", ["a"]),
        ("a | jq .", ["a"]),
        ("a && b", ["a"]),
        ("a > out.txt", ["a"]),
        ("a # note", ["a"]),
        ("a\nb", ["a"]),
        ('"a\\\nb"', ["ab"]),
        ("'a\nb'", ["a\nb"]),
        ("a#b http://h/?x=1#f", ["a#b", "http://h/?x=1#f"]),
    ],
)
def test_words_are_split_as_a_shell_would(line: str, words: list[str]) -> None:
    command = split(line)
    assert command.words == words
    assert command.problem == ""


@pytest.mark.parametrize("line", ["a 'b", 'a "b', "a $'b", "x\n\n y '"])
def test_a_quote_that_is_never_closed_is_a_problem(line: str) -> None:
    command = split(line, line.rfind("\n") + 1)
    assert "never closed" in command.problem


def test_variables_are_noticed_and_kept() -> None:
    assert split('-H "a: $KEY"').has_variables
    assert split("-H a:${KEY}").words == ["-H", "a:${KEY}"]
    assert not split('-d \'{"cost": "$5"}\'').has_variables
    assert not split('"\\$5"').has_variables


@given(st.lists(st.text(max_size=12), max_size=5))
def test_what_python_quotes_is_read_back(words: list[str]) -> None:
    line = " ".join(shlex.quote(word) for word in words)
    command = split(line)
    assert command.words == words
    assert command.end == len(line)


@given(st.text(max_size=40))
def test_any_text_ends(text: str) -> None:
    assert split(text).end <= len(text)


def test_a_command_for_windows_is_translated() -> None:
    line = (
        'curl ^"https://h/x?a=1^&b=2^" ^\r\n'
        '  -H ^"content-type: application/json^" ^\r\n'
        '  --data-raw ^"^{^\\^"a^\\^":^\\^"b^\\^"^}^"'
    )
    assert split(without_carets(line)).words == [
        "curl",
        "https://h/x?a=1&b=2",
        "-H",
        "content-type: application/json",
        "--data-raw",
        '{"a":"b"}',
    ]
