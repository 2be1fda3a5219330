"""Values as Python prints them."""

from __future__ import annotations

import ast
from functools import partial

import pytest
from tests.effort import effort

from sigscope.capture.python_repr import read_printed

VALUES: list[object] = [
    {"a": [1, -2.5, True, None, "it's", 'say "hi"', "\u2028\\ \n\x00é🙂"], "b": {}},
    [],
    {"nested": [[[{"x": [1]}]]], "empty": [], "s": ""},
    "text",
    {"1": 2},
    1e300,
    b"bytes\xff\n'",
]


@pytest.mark.parametrize("value", VALUES)
def test_what_python_prints_is_read_back(value: object) -> None:
    printed = read_printed(repr(value) + " and more", 0)
    assert printed.value == value == ast.literal_eval(repr(value))
    assert printed.end == len(repr(value))
    assert printed.is_whole
    assert printed.odd == ()


def test_objects_are_their_fields_or_text() -> None:
    said = (
        "{'timeout': Timeout(connect=5.0, read=600), 'f': <function g at 0x7f>,"
        " 'o': <a.Omit object at 0x1>, 'h': Headers({'a': 'b'}), 't': (1, 2),"
        " 'n': NOT_GIVEN, 'm': M(content=None, calls=[C(id='x')])}"
    )
    printed = read_printed(said)
    assert printed.value == {
        "timeout": {"connect": 5.0, "read": 600},
        "f": "<function g at 0x7f>",
        "o": "<a.Omit object at 0x1>",
        "h": {"a": "b"},
        "t": [1, 2],
        "n": "NOT_GIVEN",
        "m": {"content": None, "calls": [{"id": "x"}]},
    }
    assert printed.is_whole
    assert len(printed.odd) == 3


def test_every_cut_is_read_as_far_as_it_goes() -> None:
    said = repr({"model": "x", "messages": [{"role": "it's", "n": [1, 2]}], "z": "\\"})
    for end in range(len(said)):
        printed = read_printed(said[:end])
        assert not printed.is_whole or printed.end <= end
    torn = read_printed("{'model': 'x', 'messages': [{'role': 'us")
    assert torn.value == {"model": "x", "messages": [{"role": "us"}]}
    assert not torn.is_whole


@pytest.mark.parametrize(
    "said",
    [
        "[" * 200_000,
        "{'a':" * 100_000,
        "(" * 9 + ")" * 99,
        "'" + "\\" * 99,
        "<" * 99_999,
    ],
)
def test_depth_and_noise_cost_one_pass(said: str) -> None:
    assert not read_printed(said).is_whole or said.startswith("(")
    assert effort(partial(read_printed, said), limit=5) < 5


def test_a_number_of_thousands_of_digits_is_no_failure() -> None:
    assert read_printed("[" + "9" * 5000 + "]").is_whole
